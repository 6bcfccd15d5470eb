/** Tabs and folded parts that are opened, how long a page gets to fill each, and how much of one is kept. */
const MAX_OPENED = 16
const OPEN_MS = 150
const MAX_PANEL_LENGTH = 500_000

/**
 * Returns the script that reads a rendered page, in a world its own scripts cannot reach. It opens the tabs and the
 * folded parts of the text one after another and puts what each showed beside its panel. Open shadow roots are written
 * as templates (`shadowrootmode`), which the extractor puts where they are shown. A longer page is undefined.
 */
export const readPageScript = (maxLength: number): string => `(async () => {
  const pause = () => new Promise((done) => setTimeout(done, ${OPEN_MS}))
  const isTab = (element) => element.getAttribute('role') === 'tab'
  const isOpen = (element) => element.getAttribute(isTab(element) ? 'aria-selected' : 'aria-expanded') === 'true'
  const panelOf = (opener) =>
    document.getElementById(opener.getAttribute('aria-controls') || '') ||
    (isTab(opener) ? document.querySelector('[role=tabpanel]:not([hidden])') : null)
  const openers = [...document.querySelectorAll(
    '[role=tab], :is(h1, h2, h3, h4, h5, h6, dt) [aria-expanded=false], [aria-expanded=false]:has(h1, h2, h3, h4, h5, h6)',
  )].filter((opener) => !opener.getAttribute('href') && !opener.closest('nav, header, form, [role=navigation], [role=dialog]'))
  const shown = []
  for (const opener of openers.sort((a, b) => isOpen(b) - isOpen(a)).slice(0, ${MAX_OPENED})) {
    if (!isOpen(opener)) {
      opener.click()
      await pause()
    }
    const panel = panelOf(opener)
    if (panel && panel.innerHTML.length <= ${MAX_PANEL_LENGTH}) shown.push({ opener, panel, html: panel.innerHTML, text: panel.textContent })
  }
  const visible = (document.body || document.documentElement).cloneNode(true)
  for (const code of visible.querySelectorAll('script, style, template')) code.remove()
  let seen = visible.textContent
  for (const { opener, panel, html, text } of shown) {
    if (!text.trim() || seen.includes(text)) continue
    const kept = document.createElement('section')
    kept.innerHTML = html
    if (panel.isConnected) panel.before(kept)
    else (opener.closest('[role=tablist], h1, h2, h3, h4, h5, h6, dt') || opener).after(kept)
    seen += text
  }
  const shadowRoots = []
  const collect = (root) => {
    for (const { shadowRoot } of root.querySelectorAll('*')) {
      if (!shadowRoot) continue
      shadowRoots.push(shadowRoot)
      collect(shadowRoot)
    }
  }
  collect(document)
  const root = document.documentElement
  if (!root) return ''
  const type = document.doctype ? new XMLSerializer().serializeToString(document.doctype) : ''
  const whole = root.getHTML && shadowRoots.length > 0
    ? root.cloneNode(false).outerHTML.replace(/<\\/html>$/, '') + root.getHTML({ shadowRoots }) + '</html>'
    : root.outerHTML
  return type.length + whole.length > ${maxLength} ? undefined : type + whole
})()`
