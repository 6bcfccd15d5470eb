import type { Root } from 'mdast'
import { fromMarkdown } from 'mdast-util-from-markdown'
import { gfmStrikethroughFromMarkdown } from 'mdast-util-gfm-strikethrough'
import { gfmTableFromMarkdown } from 'mdast-util-gfm-table'
import { gfmTaskListItemFromMarkdown } from 'mdast-util-gfm-task-list-item'
import { gfmStrikethrough } from 'micromark-extension-gfm-strikethrough'
import { gfmTable } from 'micromark-extension-gfm-table'
import { gfmTaskListItem } from 'micromark-extension-gfm-task-list-item'
import { UnreadableDocument } from '../errors.ts'

/**
 * Part of a Markdown text: a tree, or plain lines where nothing in it is markup. Most paragraphs of a legal text are
 * plain, and the parser costs twenty times as much as looking for a mark.
 */
export type MarkdownPart = { tree: Root } | { lines: string[] }

/**
 * Bare addresses stay text (`gfm-autolink-literal` is left out: its patterns backtrack). Legal texts hold no indented
 * code, but pages indent paragraphs. Tags are inline, so that the text between them is read as Markdown.
 */
const EXTENSIONS = [
  gfmTable(),
  gfmStrikethrough(),
  gfmTaskListItem(),
  { disable: { null: ['codeIndented', 'htmlFlow'] } },
]
const TREE_EXTENSIONS = [gfmTableFromMarkdown(), gfmStrikethroughFromMarkdown(), gfmTaskListItemFromMarkdown()]

const MARK = /[[\]<*_`~\\|]|&[#a-z]|^\s*(?:[-+>#=]|\d{1,9}[.)])/im
/** `##2. Use`: a heading whose space is missing, which pages with numbered headings have. */
const TIGHT_HEADING = /^( {0,3}#{1,6})(?=\d)/gm
/** A mark that stands for itself. */
const ESCAPED = /\\([!-/:-@[-`{-~])/g
const FENCE = /^ {0,3}(`{3,}|~{3,})/
const DEFINITION = /^ {0,3}\[([^[\]]{1,200})\]:\s*\S/

/**
 * The parts of a Markdown text between its blank lines: each is parsed alone, so that no part can slow down another.
 * @throws UnreadableDocument when the marks of a part are too dense to be parsed in reasonable time.
 */
export function parseMarkdown(markdown: string): MarkdownPart[] {
  const parts = partsOf(markdown.replace(/\r\n?/g, '\n').split('\n'))
  assertParsable(parts)
  const definitions = definitionsIn(parts)
  return parts.map((lines) => {
    const text = lines.join('\n').replace(TIGHT_HEADING, '$1 ')
    if (!MARK.test(text.replace(ESCAPED, 'a'))) return { lines: lines.map((line) => line.replace(ESCAPED, '$1')) }
    const source = withDefinitions(text, definitions)
    return { tree: fromMarkdown(source, { extensions: EXTENSIONS, mdastExtensions: TREE_EXTENSIONS }) }
  })
}

/** Runs of lines without a blank line between them; fenced code is one run. */
function partsOf(lines: string[]): string[][] {
  const parts: string[][] = []
  let part: string[] = []
  let fence: string | undefined
  for (const line of lines) {
    const mark = FENCE.exec(line)?.[1]
    if (fence === undefined) fence = mark
    else if (mark?.startsWith(fence)) fence = undefined
    if (line.trim() !== '' || fence !== undefined) part.push(line)
    else if (part.length > 0) {
      parts.push(part)
      part = []
    }
  }
  if (part.length > 0) parts.push(part)
  return parts
}

/** The parser's work grows with the square of the marks in one paragraph: this is the sum of squares it may cost. */
const MAX_PARSING_COST = 20_000_000
/** What a line costs, beside its marks: one that underlines a heading and one that begins a list in a list cost most. */
const LINE_COST = 0.2
const BLOCK_COST = 0.5
const UNDERLINE_COST = 1.8
const NESTED_COST = 2
const UNDERLINE = /^\s*(?:=+|-+)\s*$/
/** What each list or quote around a line costs, without being squared. */
const LEVEL_COST = 200
/** Lists and quotes inside each other: no legal text needs more, and the parser recurses once per level. */
const MAX_NESTING = 30
/** The mark of a list's entry or of a quote, with the spaces before it. */
const CONTAINER = /\s*(?:[-+*>]|\d{1,9}[.)])(?=\s|$|>)/y
const COUNTED_MARK = /[[\]<>*_`~!&\\|=-]|\d[.)]/g
/** A line that begins so begins a new block: its marks are not those of the lines before. */
const NEW_BLOCK = /^\s*(?:[-+*|>#]|\d{1,9}[.)])/

function assertParsable(parts: string[][]): void {
  let cost = 0
  for (const lines of parts) {
    cost += costOfLines(lines)
    let marks = 0
    for (const line of lines) {
      if (NEW_BLOCK.test(line)) {
        cost += marks ** 2
        marks = 0
      }
      marks += line.match(COUNTED_MARK)?.length ?? 0
    }
    cost += marks ** 2
  }
  if (cost > MAX_PARSING_COST) throw new UnreadableDocument('its markup is too dense to be read')
}

/** One pass over the lines of a part: which lists and quotes are open is known from their marks and the indentation. */
function costOfLines(lines: string[]): number {
  let [squared, linear] = [0, 0]
  let open: number[] = []
  for (const line of lines) {
    const indent = line.length - line.trimStart().length
    open = open.filter((column) => column <= indent)
    const before = open.length
    let end = 0
    for (CONTAINER.lastIndex = 0; open.length <= MAX_NESTING && CONTAINER.test(line); ) {
      end = CONTAINER.lastIndex
      open.push(end)
    }
    if (open.length > MAX_NESTING) throw new UnreadableDocument(`its lists are nested more than ${MAX_NESTING} deep`)
    const begun = open.length - before
    if (begun > 0 && open.length > 1) squared += NESTED_COST + begun * LINE_COST
    else squared += UNDERLINE.test(line.slice(end)) ? UNDERLINE_COST : NEW_BLOCK.test(line) ? BLOCK_COST : LINE_COST
    linear += Math.max(0, open.length - 1)
  }
  return squared ** 2 + linear * LEVEL_COST
}

const labelOf = (text: string) => text.trim().toLowerCase()

/** Lines such as `[1]: https://…`, which links anywhere in the text may name. */
function definitionsIn(parts: string[][]): Map<string, string> {
  const found = new Map<string, string>()
  for (const line of parts.flat()) {
    const label = DEFINITION.exec(line)?.[1]
    if (label !== undefined && !found.has(labelOf(label))) found.set(labelOf(label), line)
  }
  return found
}

function withDefinitions(text: string, definitions: Map<string, string>): string {
  const named = new Set([...text.matchAll(/\[([^[\]]{1,200})\]/g)].map((match) => labelOf(match[1]!)))
  const lines = [...named].flatMap((label) => definitions.get(label) ?? [])
  return [text, '', ...lines].join('\n')
}
