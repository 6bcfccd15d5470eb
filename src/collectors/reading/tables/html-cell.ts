import type { load } from 'cheerio'
import type { SpanningCell } from './grid.ts'
import { plainText } from './text.ts'

type AnyNode = Exclude<Parameters<typeof load>[0], string | Buffer | readonly unknown[]>
export type Node = AnyNode
export type Element = Extract<AnyNode, { attribs: unknown }>

export const isElement = (node: Node): node is Element => 'attribs' in node
export const isText = (node: Node): node is Extract<Node, { data: string }> => node.type === 'text' && 'data' in node

/** What is never read: code, pictures, and prices that no longer hold. */
const NEVER = new Set([
  'script',
  'style',
  'noscript',
  'template',
  'svg',
  'iframe',
  'object',
  'canvas',
  'select',
  'head',
])
const STRUCK = new Set(['del', 's', 'strike'])
const BREAKS = new Set(['br', 'p', 'div', 'li', 'ul', 'ol', 'blockquote', 'section', 'tr', 'td', 'th', 'table', 'hr'])
/** Deeper than any page that people read. */
export const MAX_DEPTH = 500

export const isSkipped = (element: Element): boolean =>
  NEVER.has(element.name) || /(^|\s)(sr-only|visually-hidden)(\s|$)/.test(element.attribs.class ?? '')

/** A number of rows or columns; what is not a number is one. */
const spanOf = (text: string | undefined): number => {
  const number = Number(text?.trim() || 1)
  return Number.isSafeInteger(number) && number >= 0 ? number : 1
}

/** The cell of a `td` or `th`. */
export function cellOf(element: Element): SpanningCell {
  const found = {
    texts: [] as string[],
    codes: [] as string[],
    links: [] as SpanningCell['links'],
    labels: [] as string[],
  }
  collect(element, found, 0)
  return {
    text: plainText(found.texts.join('')).replace(/([(]) | (?=[),])/g, '$1'),
    codes: found.codes,
    links: found.links,
    labels: found.labels,
    isHeading: element.name === 'th',
    rowSpan: spanOf(element.attribs.rowspan),
    columnSpan: Math.max(1, spanOf(element.attribs.colspan)),
  }
}

type CellContents = { texts: string[]; codes: string[]; links: SpanningCell['links']; labels: string[] }

function collect(node: Node, found: CellContents, depth: number): void {
  if (depth > MAX_DEPTH) return
  if (isText(node)) {
    found.texts.push(node.data)
    return
  }
  if (!isElement(node)) return
  if (node.name === 'button' && node.attribs['aria-label']) found.labels.push(plainText(node.attribs['aria-label']))
  if (depth > 0 && (isSkipped(node) || STRUCK.has(node.name) || node.name === 'sup')) return
  const from = found.texts.length
  if (BREAKS.has(node.name)) found.texts.push(' ')
  for (const child of node.children) collect(child, found, depth + 1)
  const inside = () => plainText(found.texts.slice(from).join(''))
  if (node.name === 'code') found.codes.push(inside())
  else if (node.name === 'a') found.links.push({ text: inside(), to: node.attribs.href ?? '' })
  // What stands beside a link or a caption is another word.
  if (BREAKS.has(node.name) || node.name === 'a' || node.name === 'strong' || node.name === 'span')
    found.texts.push(' ')
}
