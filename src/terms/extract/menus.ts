import type { CheerioAPI } from 'cheerio'
import { hasDate } from '../normalize/dates-rules.ts'
import { containerOf, hasText, INLINE, OFFER_WORDS, PARTS } from './container.ts'
import { ancestors, type Element, isElement, wordsIn } from './elements.ts'

/** Parts of a page that are not its text, unless a paragraph is in them. */
const FRAMES = new Set(['header', 'footer', 'aside', 'form'])
/** More of its words are in links: it leads elsewhere. */
const LINK_SHARE = 0.5
/** In the same part as the text, fewer links may be annexes. */
const MENU_LINKS = 3
export const ASKS_FOR_EMAIL = 'input:is([type=email i], [name*=email i])'

/** Returns what selectors found without menus: parts that are links, where the same selector finds text, and menus inside a part. */
export function withoutMenus($: CheerioAPI, found: Element[], selectors: string[]): Element[] {
  const links = new Set(found.filter((part) => isLinks($, part)))
  const finds = (selector: string) => (part: Element) => $(part).is(selector)
  const findText = selectors.filter((selector) => found.some((part) => !links.has(part) && finds(selector)(part)))
  const parts = found.filter(
    (part) => !links.has(part) || selectors.some((selector) => finds(selector)(part) && !findText.includes(selector)),
  )
  for (const part of parts) removeMenus($, part)
  return parts
}

/**
 * Removes what stands beside the container of the text, or above and below the text in it, and is mostly links, a form, a part that asks for
 * an e-mail address, or the head or foot of a page. A title, a date, a table and what the text introduces stay.
 */
export function removeMenus($: CheerioAPI, root: Element): void {
  const container = containerOf(root)
  if (!container) return
  const around = container === root ? [] : ancestors(container).filter(isElement)
  const path = [container, ...around.slice(0, around.indexOf(root) + 1)]
  for (const element of path) {
    const beside = element.children.filter(isElement)
    const isEdge = element === container ? edgesOf(beside) : () => false
    for (const [i, child] of beside.entries()) {
      if (path.includes(child) || INLINE.has(child.name) || PARTS.has(child.name)) continue
      const isBeside = element !== container || (isEdge(i) && (FRAMES.has(child.name) || isMenuOfSite($, child)))
      const goes = (isBeside && leadsAway($, child)) || asksForEmail($, child)
      if (goes && !introduces($, beside[i - 1])) $(child).remove()
    }
  }
}

/** Whether a child stands above or below all those with text. */
function edgesOf(children: Element[]): (index: number) => boolean {
  const [first, last] = [children.findIndex(hasText), children.findLastIndex(hasText)]
  return (index) => first >= 0 && (index < first || index > last)
}

const introduces = ($: CheerioAPI, element: Element | undefined): boolean =>
  element !== undefined && /[:：]\s*$/.test($(element).text())

/** Whether a part has many links, most of which stay on the site: a list of other companies leads to theirs. */
function isMenuOfSite($: CheerioAPI, element: Element): boolean {
  const links = $(element).find('a[href]').toArray()
  const away = links.filter((link) => /^(?:https?:)?\/\//i.test(link.attribs.href ?? ''))
  return links.length >= MENU_LINKS && away.length <= links.length * LINK_SHARE
}

const leadsAway = ($: CheerioAPI, element: Element): boolean =>
  isLinks($, element) || (FRAMES.has(element.name) && !saysMore($, element) && !hasText(element))

const asksForEmail = ($: CheerioAPI, element: Element): boolean =>
  $(element).find(ASKS_FOR_EMAIL).length > 0 && !saysMore($, element) && wordsIn($(element).text()) <= OFFER_WORDS

/** Whether a part is mostly links. */
function isLinks($: CheerioAPI, element: Element): boolean {
  if (saysMore($, element)) return false
  const links = $(element).find('a[href]').toArray()
  const linked = links.reduce((sum, link) => sum + wordsIn($(link).text()), 0)
  return linked > 0 && linked > wordsIn($(element).text()) * LINK_SHARE
}

/** A title, a table and a date are parts of the document. */
function saysMore($: CheerioAPI, element: Element): boolean {
  const part = $(element)
  return part.is('h1, table') || part.find('h1, table').length > 0 || hasDate(part.text())
}
