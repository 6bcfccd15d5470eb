import type { BlockContent, DefinitionContent, PhrasingContent, RootContent, Table } from 'mdast'
import { type InlineText, inlineLines } from './inline-text-rules.ts'
import { isDrawing, plainLine, plainRow, startsWithDay, withoutUrls } from './line-text-rules.ts'
import { parseMarkdown } from './markdown-tree-rules.ts'
import { nameColumn, titleRow } from './row-names-rules.ts'

/**
 * One line of a document as plain text, and what it is. `targets` and `names` are where its links lead and what they say,
 * if it is nothing but links (letters and mail aside); `link` says it is one link.
 */
export type PlainLine = {
  plain: string
  heading: boolean
  item: boolean
  link: boolean
  targets: string[]
  names: string[]
  /** Its number as the document writes it, such as `3.2` or `b`. */
  number?: string
  /** That number with its brackets and stops: `3.2.` or `(b)`. */
  marker?: string
  /** The level of a heading, and in how many lists a line is. */
  level?: number
  depth?: number
  /** Whether all of it is bold, as titles are that no heading marks. */
  bold?: true
  /** The name of a row: the first cell of a table's row, or what an entry of a list of links says. */
  row?: string
  /** Where an entry of a list of links leads. */
  leadsTo?: string
}

/** Words allowed beside a row of links, for each link: buttons and titles among them. */
const WORDS_PER_LINK = 0.5

/** A Markdown text as lines of plain text: what its layout says is kept beside them. */
export function plainLines(markdown: string): PlainLine[] {
  const lines: PlainLine[] = []
  for (const part of parseMarkdown(markdown)) {
    if ('tree' in part)
      addBlocks(lines, part.tree.children, inList((part.tree.children[0]?.position?.start.column ?? 1) - 1))
    else for (const line of part.lines) add(lines, [{ text: line }], inList(line.length - line.trimStart().length))
  }
  return lines
}

/** Each part of a text is parsed alone: what is written this far in belongs to a list of the part before. */
const LIST_INDENT = 4
const inList = (indent: number): Role => (indent < LIST_INDENT ? {} : { depth: Math.floor(indent / LIST_INDENT) })

type Nodes = RootContent | BlockContent | DefinitionContent
type Role = { heading?: boolean; level?: number; item?: boolean; number?: number; path?: number[]; depth?: number }

function addBlocks(lines: PlainLine[], nodes: Nodes[], role: Role = {}) {
  let first = role
  for (const [i, node] of nodes.entries()) {
    addBlock(lines, node, isUnderlined(node, nodes[i + 1]) ? { ...first, heading: true } : first)
    first = { depth: role.depth }
  }
}

/** `3. Use` above a line of dashes: a list of one entry and a rule by the letter, a heading to every reader. */
function isUnderlined(node: Nodes, next: Nodes | undefined): boolean {
  if (node.type !== 'list' || node.children.length !== 1 || next?.type !== 'thematicBreak') return false
  return next.position?.start.line === (node.position?.end.line ?? 0) + 1
}

function addBlock(lines: PlainLine[], node: Nodes, role: Role): void {
  if (node.type === 'paragraph') addInline(lines, node.children, role)
  else if (node.type === 'heading') addInline(lines, node.children, { ...role, heading: true, level: node.depth })
  else if (node.type === 'blockquote') addBlocks(lines, node.children, role)
  else if (node.type === 'table') addTable(lines, node)
  else if (node.type === 'code') for (const line of node.value.split('\n')) add(lines, [{ text: line }], role)
  else if (node.type === 'list') {
    for (const [i, item] of node.children.entries()) {
      const number = node.ordered ? (node.start ?? 1) + i : undefined
      const path = number === undefined ? role.path : [...(role.path ?? []), number]
      addBlocks(lines, item.children, { ...role, item: true, number, path, depth: (role.depth ?? 0) + 1 })
    }
  }
}

/** The lines of a paragraph: a stored text breaks its lines where the page did. */
function addInline(lines: PlainLine[], nodes: PhrasingContent[], role: Role): void {
  let first = role
  for (const line of inlineLines(nodes)) {
    add(lines, line, first)
    first = { heading: role.heading, level: role.level, depth: role.depth }
  }
}

function addTable(lines: PlainLine[], table: Table): void {
  const rows = table.children.map((row) => row.children.map((cell) => inlineLines(cell.children).flat()))
  const texts = rows.map((cells) => cells.map(textOf))
  const [titles, column] = [titleRow(texts), nameColumn(texts)]
  for (const [i, cells] of texts.entries()) {
    const plain = plainRow(cells)
    // A row whose name stands in a cell above goes on with what that row says.
    const name = i <= titles ? undefined : plainRow([firstLine(rows[i]![column] ?? [])]) || undefined
    if (plain !== '') lines.push({ plain, heading: false, item: false, link: false, targets: [], names: [], row: name })
  }
}

/** The first line of a cell: a card that is one cell has its name there. */
function firstLine(parts: InlineText[]): string {
  let from = 0
  for (let to = 0; to <= parts.length; to++) {
    if (to < parts.length && !parts[to]!.isBreak) continue
    const text = textOf(parts.slice(from, to))
    if (/[\p{L}\p{N}]/u.test(text)) return text
    from = to + 1
  }
  return ''
}

const textOf = (parts: InlineText[]): string => parts.map((part) => withoutUrls(part.text)).join('')

/** A year or a day at the beginning of a paragraph is read as the number of a list; a list has fewer items than years. */
const LONGEST_LIST = 999

function add(lines: PlainLine[], parts: InlineText[], role: Role): void {
  const whole = textOf(parts)
  if (isDrawing(whole)) return
  const counted = role.number === undefined ? '' : `${role.number}. `
  const year = (role.number ?? 0) > LONGEST_LIST || startsWithDay(counted + whole) ? counted : ''
  const { text, item, number, marker } = plainLine(year + whole, role)
  if (text === '') return
  const targets = onlyLinks(parts, role)
  const counter = year === '' && role.number !== undefined ? `${role.number}.` : undefined
  lines.push({
    plain: text,
    heading: role.heading === true,
    item: item || role.item === true,
    link: role.heading !== true && isOneLink(parts),
    targets,
    names: targets.length === 0 ? [] : linksOf(parts).map((part) => plainRow([part.text])),
    number: number ?? (year === '' ? role.path?.join('.') : undefined),
    marker: marker ?? counter,
    level: role.level,
    depth: role.depth,
    bold: isBold(parts) ? true : undefined,
  })
}

const isBold = (parts: InlineText[]): boolean => {
  const said = parts.filter(({ text }) => /[\p{L}\p{N}]/u.test(text))
  return said.length > 0 && said.every(({ bold }) => bold)
}

const isOneLink = (parts: InlineText[]): boolean =>
  parts.filter((part) => part.url !== undefined || part.text.trim() !== '').length === 1 &&
  parts.some((part) => part.url !== undefined)

const linksOf = (parts: InlineText[]) => parts.filter((part) => part.url !== undefined && part.text.trim() !== '')

function onlyLinks(parts: InlineText[], role: Role): string[] {
  const targets = linksOf(parts).map((part) => part.url!)
  if (targets.length === 0) return []
  const beside = parts.filter((part) => part.url === undefined).map((part) => part.text)
  const words = (beside.join(' ').match(/[\p{L}\p{N}]+/gu) ?? []).length + (role.number === undefined ? 0 : 1)
  if (words > (targets.length > 1 ? targets.length * WORDS_PER_LINK : 0)) return []
  return targets.some((target) => /^(?:mailto|tel):|email-protection/i.test(target)) && targets.length < 3
    ? []
    : targets
}
