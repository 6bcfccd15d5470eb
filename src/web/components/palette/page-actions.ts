/** What can be done on a page, and its tabs. A page marks its actions with `data-page-actions`. */
const CONTROLS = '#content [data-page-actions] :is(a, button):not(:disabled), #content [role="tab"]'

/** Returns what the open page offers, as its buttons, links and tabs say it. */
export const pageActions = (): { label: string; run: () => void }[] =>
  [...document.querySelectorAll<HTMLElement>(CONTROLS)].flatMap((control) => {
    const label = control.getAttribute('aria-label') ?? control.textContent?.trim() ?? ''
    return label === '' ? [] : [{ label, run: () => press(control) }]
  })

/** The palette gives the focus back when it closes. What the control opens takes it after that. */
function press(control: HTMLElement): void {
  setTimeout(() => {
    control.focus()
    control.click()
  }, CLOSES_MS)
}
const CLOSES_MS = 200
