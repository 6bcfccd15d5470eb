import type { CheerioAPI } from 'cheerio'
import { hasDate } from '../normalize/dates-rules.ts'
import { containerOf, INLINE, PARTS } from './container.ts'
import { ancestors, type Element, isElement } from './elements.ts'

/** Parts of a page that are not its text, whatever they say. */
const FRAMES = new Set(['header', 'footer', 'aside', 'form'])
/** More of its words are in links: it leads elsewhere. */
const LINK_SHARE = 0.5

/**
 * Removes menus from what a selector found: what stands beside the container of its text and is mostly links, a form, or the head or foot of
 * a page. A title, a date and a table stay.
 */
export function removeMenus($: CheerioAPI, root: Element): void {
  const container = containerOf(root)
  if (!container || container === root) return
  const around = ancestors(container).filter(isElement)
  const path = [container, ...around.slice(0, around.indexOf(root) + 1)]
  for (const element of path.slice(1)) {
    const beside = element.children.filter(isElement)
    for (const [i, child] of beside.entries())
      if (!path.includes(child) && !INLINE.has(child.name) && !PARTS.has(child.name))
        if (isMenu($, child) && !(i > 0 && introduces($(beside[i - 1]!).text()))) $(child).remove()
  }
}

const introduces = (text: string): boolean => /[:：]\s*$/.test(text)

function isMenu($: CheerioAPI, element: Element): boolean {
  const part = $(element)
  if (part.find('h1, table').length > 0 || element.name === 'h1' || element.name === 'table') return false
  const text = part.text()
  if (hasDate(text)) return false
  if (FRAMES.has(element.name)) return true
  const linked = part
    .find('a[href]')
    .toArray()
    .reduce((sum, link) => sum + wordsIn($(link).text()), 0)
  return linked > 0 && linked > wordsIn(text) * LINK_SHARE
}

const wordsIn = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0
