import { type CheerioAPI, load } from 'cheerio'
import { UnreadableDocument } from '../errors.ts'
import { decodeHiddenEmail } from '../hidden-email-rules.ts'
import type { ExtractedText, Selectors } from '../schema.ts'
import { flattenLinks, removeBoilerplate } from './boilerplate.ts'
import { tableCards } from './cards.ts'
import { containerOf, hasText } from './container.ts'
import { type AnyNode, ancestors, type Element, isElement, wordsIn } from './elements.ts'
import { openFoldedParts } from './folded-parts.ts'
import { writeLetters } from './lettered-lists.ts'
import { htmlToMarkdown } from './markdown.ts'
import { removeMenus, withoutMenus } from './menus.ts'
import { above, dateLinesIn } from './page-head.ts'
import { assertFewTags, assertParsable } from './page-limits.ts'
import { proposeSelector } from './propose-selector.ts'
import { fillSpannedRows } from './row-spans.ts'
import { placeShadowRoots } from './shadow-roots.ts'
import { signalsOf } from './signals.ts'

/**
 * An HTML page as Markdown: what is declared, or its container where nothing is or nothing is found; without page chrome;
 * folded parts unfolded.
 */
export function extractHtml(html: string, options: Selectors): ExtractedText {
  const { $, signals, canonical } = cleanPage(html, options.remove)
  const parts = withoutMenus($, declared($, options.select), options.select)
  const found = parts.some(saysSomething) ? parts : []
  const markdown = markdownOf($, found.length > 0 ? found : mainText($))
  const notFound = found.length === 0 && options.select.length > 0 ? options.select.join(', ') : undefined
  return {
    kind: 'html',
    markdown,
    signals,
    ...(notFound !== undefined && { notFound }),
    ...(canonical !== undefined && { canonical }),
  }
}

/** Returns the text of a page's container, and a selector that would find it. */
export function extractContainer(html: string): { markdown: string; selector?: string } {
  const { $ } = cleanPage(html, [])
  const main = mainText($)
  const container = main.at(-1)
  return { markdown: markdownOf($, main), selector: container && proposeSelector($, container) }
}

const markdownOf = ($: CheerioAPI, parts: Element[]) => htmlToMarkdown(parts.map((part) => $.html(part)).join('\n'))

/** The page without what is never part of a legal text, and what its markup said before. */
function cleanPage(html: string, remove: string[]): { $: CheerioAPI; signals: string[]; canonical?: string } {
  assertFewTags(html)
  const $ = load(html)
  assertParsable($)
  placeShadowRoots($)
  const signals = signalsOf($)
  const canonical = $('link[rel=canonical i]').attr('href')
  $('[data-cfemail]').each((_, element) => {
    $(element).replaceWith($('<span>').text(decodeHiddenEmail($(element).attr('data-cfemail') ?? '')))
  })
  for (const selector of remove) find($, selector).remove()
  openFoldedParts($)
  removeBoilerplate($)
  tableCards($)
  fillSpannedRows($)
  writeLetters($)
  flattenLinks($)
  return { $, signals, canonical }
}

function find($: CheerioAPI, selector: string) {
  try {
    return $<Element, string>(selector)
  } catch {
    throw new UnreadableDocument(`the selector ${selector} is not one that can be read`)
  }
}

/** What the declared selectors name, outermost elements only, in the page's order; nothing where they find nothing. */
function declared($: CheerioAPI, selectors: string[]): Element[] {
  if (selectors.length === 0) return []
  const found = find($, selectors.join(', ')).toArray()
  return distinct($, outermost(found))
}

/** What is left where the document moved to another element: nothing, or its title alone. */
const saysSomething = (part: Element): boolean => hasText(part) || wordsBesideHeadings(part) > 0

function wordsBesideHeadings(node: AnyNode): number {
  if (node.type === 'text') return wordsIn(node.data)
  if (!('children' in node) || (isElement(node) && /^h[1-6]$/.test(node.name))) return 0
  return node.children.reduce((sum, child) => sum + wordsBesideHeadings(child), 0)
}

/** Of a page, not of an article inside it. */
const HEADERS = 'body > header, body > div > header'
const PAGE_ONLY = `${HEADERS}, body > footer, body > div > footer, footer:not(article footer)`
/** The container, and the title and dates that stand before it, also in the header of the page. */
function mainText($: CheerioAPI): Element[] {
  const titles = $<Element, string>(PAGE_ONLY).find('h1').remove().toArray()
  const dates = $(HEADERS).toArray().flatMap(dateLinesIn)
  $(PAGE_ONLY).remove()
  const container = containerOf($<Element, string>('body').get(0))
  if (!container) return $<Element, string>('body').toArray()
  removeMenus($, container)
  const found = above(container)
  const hasTitle = [...found, container].some((part) => part.name === 'h1' || $(part).find('h1').length > 0)
  return [...(hasTitle ? [] : titles.slice(0, 1)), ...dates, ...found, container]
}

function outermost(found: Element[]): Element[] {
  const chosen = new Set<AnyNode>(found)
  return found.filter((element) => !ancestors(element).some((ancestor) => chosen.has(ancestor)))
}

/** A page may hold its text once for each size of screen: the first copy is the document. */
function distinct($: CheerioAPI, found: Element[]): Element[] {
  const seen = new Set<string>()
  return found.filter((element) => {
    const text = $(element).text().replace(/\s+/g, ' ').trim()
    if (text !== '' && seen.has(text)) return false
    seen.add(text)
    return true
  })
}
