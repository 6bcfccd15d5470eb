import type { PhrasingContent, Table } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { SnapshotError } from '../../snapshot-error.ts'
import { docTables } from './doc-tables.ts'

/** A table or heading that is larger is not a page of prices; the parser may take longer than linear time for one. */
const MAX_TABLE_CHARACTERS = 200_000
const MAX_LINE_CHARACTERS = 4_000
const EXTENSIONS = [gfmTable(), gfmStrikethrough(), { disable: { null: ['codeIndented', 'htmlFlow'] } }]
const TREE_EXTENSIONS = [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown()]
const FENCE = /^\s*(`{3,}|~{3,})/
const DELIMITER = /^\s*\|?(?:\s*:?-+:?\s*\|)+\s*(?::?-+:?\s*)?$/
/** Tabs and folds, whose names tell which prices stand in them. */
const PANE = /^\s*<\/?(?:Tab|Accordion)(?:\s[^<>]*)?>\s*$/
const HEADING = /^\s*(#{1,6})\s+(.*?)\s*#*\s*$/

/**
 * A page in Markdown, or in MDX, as HTML: its headings, tables, tabs and paragraphs. Only tables and headings are parsed;
 * paragraphs are text.
 */
export function markdownToHtml(markdown: string): string {
  const html: string[] = []
  const lines = docTables(withoutFrontMatter(markdown)).split(/\r?\n/)
  let fence: string | undefined
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at]!
    const mark = FENCE.exec(line)?.[1]
    if (fence ? mark?.startsWith(fence) : mark) fence = fence ? undefined : mark
    else if (fence) continue
    else if (line.startsWith('<table>') && line.endsWith('</table>')) html.push(line)
    else if (PANE.test(line)) html.push(line)
    else if (isTable(lines, at)) {
      const end = tableEnd(lines, at)
      html.push(tableHtml(lines.slice(at, end)))
      at = end - 1
    } else html.push(blockHtml(line))
  }
  return html.join('\n')
}

const withoutFrontMatter = (text: string): string => {
  const end = text.startsWith('---\n') ? text.indexOf('\n---\n', 3) : -1
  return end < 0 ? text : text.slice(end + 5)
}

const isTable = (lines: string[], at: number): boolean =>
  lines[at]!.includes('|') &&
  lines[at + 1] !== undefined &&
  lines[at + 1]!.length < MAX_LINE_CHARACTERS &&
  DELIMITER.test(lines[at + 1]!)

function tableEnd(lines: string[], from: number): number {
  let end = from + 2
  while (end < lines.length && lines[end]!.includes('|') && !PANE.test(lines[end]!)) end++
  return end
}

function tableHtml(lines: string[]): string {
  const source = lines.map((line) => line.trim()).join('\n')
  if (source.length > MAX_TABLE_CHARACTERS)
    throw new SnapshotError(`A table of the page is larger than ${MAX_TABLE_CHARACTERS} characters.`)
  const table = parse(source).find((node): node is Table => node.type === 'table')
  if (!table) throw new SnapshotError(`A table of the page cannot be read: ${lines[0]!.slice(0, 100)}.`)
  const rows = table.children.map((row, index) => {
    const tag = index === 0 ? 'th' : 'td'
    return `<tr>${row.children.map(({ children }) => `<${tag}>${inline(children)}</${tag}>`).join('')}</tr>`
  })
  return `<table>${rows.join('')}</table>`
}

/** A heading, or a line of text of its own. */
function blockHtml(line: string): string {
  const [, marks, text = ''] = line.length < MAX_LINE_CHARACTERS ? (HEADING.exec(line) ?? []) : []
  if (!marks) return `<p>${codesOf(line.replace(/<[^<>]{0,500}>/g, ' ').replaceAll('\\', ''))}</p>`
  const [first] = parse(text)
  const children = first?.type === 'paragraph' ? first.children : []
  return `<h${marks.length}>${children.length > 0 ? inline(children) : escaped(text)}</h${marks.length}>`
}

const parse = (source: string) =>
  fromMarkdown(source, { extensions: EXTENSIONS, mdastExtensions: TREE_EXTENSIONS }).children

function inline(nodes: PhrasingContent[]): string {
  return nodes
    .map((node) => {
      if (node.type === 'text') return escaped(node.value)
      if (node.type === 'inlineCode') return `<code>${escaped(node.value)}</code>`
      if (node.type === 'html') return node.value
      if (node.type === 'break') return '<br>'
      if (node.type === 'delete') return `<del>${inline(node.children)}</del>`
      if (node.type === 'link') return `<a href="${escaped(node.url)}">${inline(node.children)}</a>`
      return 'children' in node ? inline(node.children) : ''
    })
    .join('')
}

/** A paragraph as text, with what is written as code, and without the marks of links and emphasis. */
const codesOf = (text: string): string =>
  escaped(text.replace(/\]\([^()\s]{0,500}\)/g, ' ').replace(/[[\]*]/g, '')).replace(
    /`([^`]{1,200})`/g,
    '<code>$1</code>',
  )

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')
