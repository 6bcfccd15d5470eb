import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'

/** The page that this tab showed last. */
let shown: string | undefined

/**
 * Names the tab after its page. When someone comes from another page, the heading gets the focus: so a screen reader
 * says where they are, and Tab goes on from there. A form that the page is for has it in its first field. The first page of a tab is announced by the browser.
 */
export function useArrival(title: string) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The address changes before its page is here.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  useEffect(() => {
    document.title = `${title} · Pricetape`
  }, [title])
  useEffect(() => {
    if (pathname === undefined) return
    const isArrival = shown !== undefined && shown !== pathname
    shown = pathname
    if (!isArrival) return
    const field = document.querySelector<HTMLElement>('main [data-first-field]')
    ;(field ?? heading.current)?.focus({ preventScroll: true })
  }, [pathname])
  return { ref: heading, tabIndex: -1, className: 'arrived' }
}
