import { useRouterState } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { isBusy } from './use-first-field.ts'

/** The page that this tab showed last. */
let shown: string | undefined

/**
 * Names the tab after its page. When someone comes from another page, the heading gets the focus, unless a field has it: so a screen
 * reader says where they are, and Tab goes on from there. The first page of a tab is announced by the browser. A page that is not known
 * yet has no title.
 */
export function useArrival(title: string | undefined) {
  const heading = useRef<HTMLHeadingElement>(null)
  // The address changes before its page is here.
  const pathname = useRouterState({ select: ({ resolvedLocation }) => resolvedLocation?.pathname })
  const isKnown = title !== undefined
  useEffect(() => {
    document.title = isKnown ? `${title} · Pricetape` : 'Pricetape'
  }, [title, isKnown])
  useEffect(() => {
    if (pathname === undefined || !isKnown) return
    const isArrival = shown !== undefined && shown !== pathname
    shown = pathname
    if (isArrival && !isBusy()) heading.current?.focus({ preventScroll: true })
  }, [pathname, isKnown])
  return { ref: heading, tabIndex: -1, className: 'arrived' }
}
