/** Tabs that are opened, and how long a page gets to fill each. */
const MAX_TABS = 12
const TAB_MS = 200
const MAX_PANEL_LENGTH = 500_000

/**
 * Script for a rendered page, in a world its own scripts cannot reach: opens its tabs one after another and keeps what
 * each showed, and puts the content of shadow roots where it is shown. Only what is open to the page is read.
 */
export const UNFOLD_PAGE = `(async () => {
  const pause = () => new Promise((done) => setTimeout(done, ${TAB_MS}))
  const tabs = [...document.querySelectorAll('[role=tab]')].filter((tab) => !tab.getAttribute('href')).slice(0, ${MAX_TABS})
  const panels = []
  for (const tab of tabs) {
    tab.click()
    await pause()
    const named = document.getElementById(tab.getAttribute('aria-controls') || '')
    const panel = named || document.querySelector('[role=tabpanel]:not([hidden])')
    if (panel && panel.innerHTML.length <= ${MAX_PANEL_LENGTH})
      panels.push({ panel, html: panel.innerHTML, text: panel.textContent })
  }
  for (const { panel, html, text } of panels) {
    if (!text.trim() || document.body.textContent.includes(text)) continue
    const kept = document.createElement('section')
    kept.innerHTML = html
    if (panel.isConnected) panel.after(kept)
    else document.body.append(kept)
  }
  const unfold = (root) => {
    for (const host of root.querySelectorAll('*')) {
      if (!host.shadowRoot) continue
      unfold(host.shadowRoot)
      const shown = document.createElement('div')
      for (const node of host.shadowRoot.childNodes) shown.append(node.cloneNode(true))
      const slots = host.shadowRoot.querySelectorAll('slot')
      for (const [i, slot] of shown.querySelectorAll('slot').entries()) {
        const assigned = slots[i].assignedNodes()
        const nodes = assigned.length > 0 ? assigned : [...slots[i].childNodes]
        slot.replaceWith(...nodes.map((node) => node.cloneNode(true)))
      }
      for (const style of shown.querySelectorAll('style, script')) style.remove()
      host.replaceChildren(shown)
    }
  }
  unfold(document)
})()`
