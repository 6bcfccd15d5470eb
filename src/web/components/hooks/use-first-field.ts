import { useEffect, useRef } from 'react'

/** Small windows that are touched: a keyboard would cover the page before it is read. */
const OPENS_KEYBOARD = '(pointer: coarse) and (max-width: 48em)'
const FIELDS = 'input:not([type=hidden], [type=checkbox], [type=radio], [hidden]), textarea'

/**
 * Puts the focus on the first empty field of a form when its page is opened, or the first where each has something: for pages whose purpose
 * is that form.
 * Someone who is in a field or a dialog already stays there.
 */
export function useFirstField() {
  const form = useRef<HTMLFormElement>(null)
  useEffect(() => {
    if (matchMedia(OPENS_KEYBOARD).matches || isBusy()) return
    const fields = form.current?.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>(FIELDS) ?? []
    const empty = [...fields].find(({ value, disabled }) => value === '' && !disabled)
    ;(empty ?? fields[0])?.focus({ preventScroll: true })
  }, [])
  return form
}

/** Whether someone types, or a dialog is open. */
export const isBusy = (): boolean => document.activeElement?.closest('input, textarea, select, [role=dialog]') != null
