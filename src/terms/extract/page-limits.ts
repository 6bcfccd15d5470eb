import type { CheerioAPI } from 'cheerio'
import { UnreadableDocument } from '../errors.ts'
import type { AnyNode } from './elements.ts'

/** A page with more than this is refused: no legal text needs it, and conversion recurses once per level. */
const MAX_ELEMENTS = 60_000
const MAX_DEPTH = 400
/** Counted before parsing, scripts included: what a large page of text has many times over. */
const MAX_TAGS = 250_000

/** @throws UnreadableDocument before a page with too many tags is parsed */
export function assertFewTags(html: string): void {
  if (tagsIn(html) > MAX_TAGS) throw new UnreadableDocument(`it has more than ${MAX_TAGS} tags`)
}

function tagsIn(html: string): number {
  let tags = 0
  for (let at = html.indexOf('<'); at >= 0; at = html.indexOf('<', at + 1)) tags++
  return tags
}

/** @throws UnreadableDocument for a page that is too large or too deep to be converted */
export function assertParsable($: CheerioAPI): void {
  let count = 0
  const stack: [AnyNode, number][] = [[$.root()[0] as unknown as AnyNode, 0]]
  for (let top = stack.pop(); top; top = stack.pop()) {
    const [node, depth] = top
    if (depth > MAX_DEPTH) throw new UnreadableDocument(`its elements are nested more than ${MAX_DEPTH} deep`)
    if (++count > MAX_ELEMENTS) throw new UnreadableDocument(`it has more than ${MAX_ELEMENTS} elements`)
    if ('children' in node) for (const child of node.children) if (child.type !== 'text') stack.push([child, depth + 1])
  }
}
