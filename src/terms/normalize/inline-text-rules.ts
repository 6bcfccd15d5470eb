import type { Link, PhrasingContent } from 'mdast'
import { decodeHiddenEmail } from '../hidden-email-rules.ts'

/** A piece of a line; with `url` the text of a link. `isBreak` is where a cell of a table begins another line. */
export type InlineText = { text: string; url?: string; bold?: true; isBreak?: true }

/** A link in a line of text that leads to the page's other versions, or to the page in another language. */
const CHOOSER =
  /^(?:(?:view |see )?(?:the )?(?:previous|prior|archived) versions?|(?:french|english|german|spanish|italian)(?: version)?(?: ?[/|-] ?[\p{L} ]{3,30})?|version française|versión en español|deutsche version)$/iu
/** Addresses that Cloudflare hides from robots: the link's target holds them, XORed with its first byte. */
const HIDDEN_EMAIL = '/cdn-cgi/l/email-protection#'

/** The text of a paragraph, line by line: pictures and tags left out, a link in one piece. */
export function inlineLines(nodes: PhrasingContent[]): InlineText[][] {
  const lines: InlineText[][] = [[]]
  collect(nodes, lines)
  return lines
}

const LINE_BREAK = /^<br\b/i
const BOLD = { bold: true } as const

function collect(nodes: PhrasingContent[], lines: InlineText[][], style: { bold?: true } = {}): void {
  for (const node of nodes) {
    if (node.type === 'text' || node.type === 'inlineCode') addText(lines, node.value, style)
    else if (node.type === 'break') lines.push([])
    else if (node.type === 'html')
      lines.at(-1)!.push(LINE_BREAK.test(node.value) ? { text: ' ', isBreak: true } : { text: ' ' })
    else if (node.type === 'link') lines.at(-1)!.push({ ...linkText(node), ...style, ...(isBold(node) && BOLD) })
    else if ('children' in node) collect(node.children, lines, node.type === 'strong' ? BOLD : style)
  }
}

/** `[**Who we are**](#who)` */
const isBold = ({ children }: Link): boolean => children.length > 0 && children.every(({ type }) => type === 'strong')

function addText(lines: InlineText[][], value: string, style: { bold?: true }): void {
  for (const [i, text] of value.split('\n').entries()) {
    if (i > 0) lines.push([])
    if (text !== '') lines.at(-1)!.push({ text, ...style })
  }
}

function linkText(node: Link): InlineText {
  const hex = node.url.split(HIDDEN_EMAIL)[1]
  if (hex !== undefined && /^[0-9a-f]{8,200}$/i.test(hex)) return { text: decodeHiddenEmail(hex) }
  const text = inlineLines(node.children)
    .map((line) => line.map((part) => part.text).join(''))
    .join(' ')
  if (CHOOSER.test(text.trim())) return { text: ' ' }
  // An address in angle brackets is text that leads somewhere, not an entry of a menu.
  return text === node.url || `mailto:${text}` === node.url ? { text } : { text, url: node.url }
}
