import { type CheerioAPI, load } from 'cheerio'
import { UnreadableDocument } from '../errors.ts'
import { decodeHiddenEmail } from '../hidden-email-rules.ts'
import type { ExtractedText, Selectors } from '../schema.ts'
import { tableCards } from './cards.ts'
import { openFoldedParts } from './folded-parts.ts'
import { writeLetters } from './lettered-lists.ts'
import { htmlToMarkdown } from './markdown.ts'
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
  '.cookie-banner', '.cookie-consent', '.cky-modal', '.cky-consent-container', '.modal-cookies', '#cookie-banner', '#cookie-consent', '.cc-window', '.skip-link', '.breadcrumb', '.breadcrumbs',
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
/** Hidden parts up to so many words are labels; longer ones are folded text that belongs to the document. */
const HIDDEN_LABEL_WORDS = 30

/** Tried in order where nothing is declared or for the page as a whole. */
const MAIN = ['main article', 'article', 'main', '[role=main]', '#main-content', '#content', '.content', 'body']
/** A candidate for the main text holds this share of the page's words, at most this share of them in links. */
const MAIN_SHARE = 0.6
const LINK_SHARE = 0.5

const words = (text: string): number => text.match(/[\p{L}\p{N}]+/gu)?.length ?? 0

/** An HTML page as Markdown: what is declared, or the main text; without page chrome; folded parts unfolded. */
export function extractHtml(html: string, options: Selectors): ExtractedText {
  if (tagsIn(html) > MAX_TAGS) throw new UnreadableDocument(`it has more than ${MAX_TAGS} tags`)
  const $ = load(html)
  assertParsable($)
  placeShadowRoots($)
  const signals = signalsOf($)
  $('[data-cfemail]').each((_, element) => {
    $(element).replaceWith($('<span>').text(decodeHiddenEmail($(element).attr('data-cfemail') ?? '')))
  })
  for (const selector of options.remove) find($, selector).remove()
  openFoldedParts($)
  $([...NEVER, 'button'].join(', ')).remove()
  $('[hidden], [aria-hidden=true]').each((_, element) => {
    if (words($(element).text()) <= HIDDEN_LABEL_WORDS) $(element).remove()
  })
  tableCards($)
  writeLetters($)
  const kept = options.select.length > 0 ? declared($, options.select) : mainText($)
  const markdown = htmlToMarkdown(kept.map((part) => $.html(part)).join('\n'))
  return { kind: 'html', markdown, signals }
}

function find($: CheerioAPI, selector: string) {
  try {
    return $<Element, string>(selector)
  } catch {
    throw new UnreadableDocument(`the selector ${selector} is not one that can be read`)
  }
}

/** What the declared selectors name, outermost elements only, in the page's order. */
function declared($: CheerioAPI, selectors: string[]): Element[] {
  const found = find($, selectors.join(', ')).toArray()
  if (found.length === 0) throw new UnreadableDocument(`none of its selectors finds anything: ${selectors.join(', ')}`)
  return distinct($, outermost(found))
}

function ancestors(element: Element): AnyNode[] {
  const found: AnyNode[] = []
  for (let node = element.parent; node; node = node.parent) found.push(node)
  return found
}

function mainText($: CheerioAPI): Element[] {
  $(PAGE_ONLY.join(', ')).remove()
  const whole = words($('body').text())
  for (const selector of MAIN) {
    const found = outermost(find($, selector).toArray())
    const count = words(found.map((element) => $(element).text()).join(' '))
    // From the root: a search below an element takes the square of its children.
    const linked = words(find($, `${selector} a`).text())
    if (count > 0 && count >= whole * MAIN_SHARE && linked <= count * LINK_SHARE) return distinct($, found)
  }
  return $('body').toArray()
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
