import { type CheerioAPI, load } from 'cheerio'
import { UnreadableDocument } from '../errors.ts'
import { decodeHiddenEmail } from '../hidden-email-rules.ts'
import { hasDate } from '../normalize/dates-rules.ts'
import type { ExtractedText, Selectors } from '../schema.ts'
import { tableCards } from './cards.ts'
import { removeConsentNotices } from './consent-notices.ts'
import { containerOf, INLINE } from './container.ts'
import { openFoldedParts } from './folded-parts.ts'
import { writeLetters } from './lettered-lists.ts'
import { htmlToMarkdown } from './markdown.ts'
import { proposeSelector } from './propose-selector.ts'
import { placeShadowRoots } from './shadow-roots.ts'
import { signalsOf } from './signals.ts'

type AnyNode = Exclude<Parameters<typeof load>[0], string | Buffer | readonly unknown[]>
type Element = Extract<AnyNode, { attribs: unknown }>

/** A page with more than this is refused: no legal text needs it, and conversion recurses once per level. */
const MAX_ELEMENTS = 60_000
const MAX_DEPTH = 400
/** Counted before parsing, scripts included: what a large page of text has many times over. */
const MAX_TAGS = 250_000

/** What is never part of a legal text. */
const NEVER = [
  'script', 'style', 'noscript', 'template', 'svg', 'iframe', 'object', 'embed', 'canvas', 'video', 'audio', 'picture', 'img',
  'link', 'meta', 'nav', 'dialog', 'select', 'input', 'textarea', '[role=navigation]', '[role=banner]', '[role=contentinfo]',
  '[role=dialog]', '[role=alertdialog]', '[role=search]', '[role=menu]', '[role=menubar]', '[role=tooltip]', '.sr-only',
  '.visually-hidden', '.screen-reader-text', '#onetrust-consent-sdk', '#CybotCookiebotDialog', '#usercentrics-root',
  '.skip-link', '.breadcrumb', '.breadcrumbs',
  '[aria-label="breadcrumb" i]', '[data-nosnippet]',
] // biome-ignore format: a vocabulary reads best in lines
/** Of a page, not of an article inside it. */
const PAGE_ONLY = [
  'body > header',
  'body > footer',
  'body > div > header',
  'body > div > footer',
  'footer:not(article footer)',
]
/** Hidden parts up to this many words are labels; longer ones are folded text that belongs to the document. */
const HIDDEN_LABEL_WORDS = 30

const words = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/**
 * An HTML page as Markdown: what is declared, or its container where nothing is or nothing is found; without page chrome;
 * folded parts unfolded.
 */
export function extractHtml(html: string, options: Selectors): ExtractedText {
  const { $, signals, canonical } = cleanPage(html, options.remove)
  const found = declared($, options.select)
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
  if (tagsIn(html) > MAX_TAGS) throw new UnreadableDocument(`it has more than ${MAX_TAGS} tags`)
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
  removeConsentNotices($)
  $([...NEVER, 'button'].join(', ')).remove()
  $('[hidden], [aria-hidden=true]').each((_, element) => {
    if (words($(element).text()) <= HIDDEN_LABEL_WORDS) $(element).remove()
  })
  tableCards($)
  writeLetters($)
  flattenLinks($)
  return { $, signals, canonical }
}

/** A card that leads to another page is one link; Markdown has no link around blocks. */
const BLOCKS = 'p, div, h1, h2, h3, h4, h5, h6, li, section'
const CARD_WORDS = 60

function flattenLinks($: CheerioAPI): void {
  for (const link of $<Element, string>('a[href]').toArray()) {
    const blocks = $(link).find(BLOCKS)
    if (blocks.length === 0 || words($(link).text()) > CARD_WORDS) continue
    blocks.after(' ')
    $(link).text($(link).text().replace(/\s+/g, ' ').trim()).after('<br>')
  }
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

function ancestors(element: Element): AnyNode[] {
  const found: AnyNode[] = []
  for (let node = element.parent; node; node = node.parent) found.push(node)
  return found
}

/** A line above the container that states a date belongs to the document; a longer one does not. */
const DATED_CHARACTERS = 120

/** The container, and the title and date that stand before it. */
function mainText($: CheerioAPI): Element[] {
  const titles = $<Element, string>(PAGE_ONLY.join(', ')).find('h1').remove().toArray()
  $(PAGE_ONLY.join(', ')).remove()
  const container = containerOf($)
  if (!container) return $<Element, string>('body').toArray()
  const found = above(container)
  const hasTitle = [...found, container].some((part) => part.name === 'h1' || $(part).find('h1').length > 0)
  return [...(hasTitle ? [] : titles.slice(0, 1)), ...found, container]
}

/** The titles and lines with dates before an element, in the page's order. */
function above(element: Element): Element[] {
  const found: Element[] = []
  const look = (node: AnyNode) => {
    if (!isElement(node)) return
    const text = shortText(node)
    if ((node.name === 'h1' && text !== '') || (text !== undefined && hasDate(text))) found.push(...header(node))
    else for (const child of node.children) look(child)
  }
  const path = [...ancestors(element).filter(isElement).reverse(), element]
  for (const [i, part] of path.entries()) {
    for (const sibling of i === 0 ? [] : path[i - 1]!.children) {
      if (sibling === part) break
      look(sibling)
    }
  }
  return found
}

/** A date may be the first line of an introduction, and the title a heading of any level right above it. */
function header(dated: Element): Element[] {
  let line = dated
  while (INLINE.has(line.name) && line.parent && isElement(line.parent)) line = line.parent
  const before = line.parent?.children.slice(0, line.parent.children.indexOf(line)).findLast(isElement)
  return before && /^h[2-6]$/.test(before.name) && line.name !== 'h1' ? [before, line] : [line]
}

const isElement = (node: AnyNode): node is Element => 'attribs' in node

/** The text of an element; undefined where it is longer than a line that states a date. */
function shortText(element: Element): string | undefined {
  let text = ''
  const stack: AnyNode[] = [element]
  for (let node = stack.pop(); node; node = stack.pop()) {
    if (node.type === 'text') text += `${node.data.replace(/\s+/g, ' ')} `
    else if ('children' in node) stack.push(...node.children.toReversed())
    if (text.length > DATED_CHARACTERS) return undefined
  }
  return text.trim()
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

function tagsIn(html: string): number {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++
  return tags
}

function assertParsable($: CheerioAPI): void {
  let count = 0
  const stack: [AnyNode, number][] = [[$.root()[0] as unknown as AnyNode, 0]]
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, depth] = top
    if (depth > MAX_DEPTH) throw new UnreadableDocument(`its elements are nested more than ${MAX_DEPTH} deep`)
    if (++count > MAX_ELEMENTS) throw new UnreadableDocument(`it has more than ${MAX_ELEMENTS} elements`)
    if ('children' in node) for (const child of node.children) if (child.type !== 'text') stack.push([child, depth + 1])
  }
}
