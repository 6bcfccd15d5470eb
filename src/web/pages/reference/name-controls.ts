/**
 * Keeps an element usable without seeing it: Swagger UI leaves fields and buttons without a name, examples out of reach of
 * the keyboard, and calls itself the main part of the page. Returns what ends it.
 */
export function nameControls(root: HTMLElement): () => void {
  const observer = new MutationObserver(() => nameAll(root))
  observer.observe(root, { childList: true, subtree: true })
  return () => observer.disconnect()
}

function nameAll(root: HTMLElement): void {
  each(root, 'select:not([aria-label]), input:not([aria-label]):not([id]), textarea:not([aria-label])', (field) => {
    field.setAttribute('aria-label', nameOf(field))
  })
  each(root, 'pre:not([tabindex])', (example) => example.setAttribute('tabindex', '0'))
  each(root, '.close-modal:not([aria-label])', (button) => button.setAttribute('aria-label', 'Close'))
  each(root, 'main:not([role])', (part) => {
    part.setAttribute('role', 'presentation')
    part.removeAttribute('tabindex')
  })
}

const each = (root: HTMLElement, selector: string, change: (element: Element) => void): void => {
  for (const element of root.querySelectorAll(selector)) change(element)
}

/** The parameter in whose row a field is; else that of an API key, or what is sent. */
function nameOf(field: Element): string {
  const name = field.closest('tr')?.getAttribute('data-param-name')
  return name ?? (field.closest('.auth-container') ? 'API key' : 'Request body')
}
