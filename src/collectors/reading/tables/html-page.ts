import { load } from 'cheerio'
import { lookUp } from '../../../lib/collections.ts'
import { SnapshotError } from '../../snapshot-error.ts'
import { gridOf } from './grid.ts'
import { cellOf, type Element, isElement, isSkipped, isText, MAX_DEPTH, type Node } from './html-cell.ts'
import { islandRows } from './islands.ts'
import type { Cell, Heading, Page, Table, Titles } from './schema.ts'
import { headingKey, plainText } from './text.ts'

const MAX_TAGS = 250_000
const BLOCKS = new Set([
  'address', 'article', 'aside', 'blockquote', 'body', 'br', 'button', 'dd', 'div', 'dl', 'dt', 'fieldset', 'figcaption', 'figure',
  'form', 'hr', 'label', 'li', 'main', 'ol', 'p', 'pre', 'section', 'summary', 'tab', 'accordion', 'ul',
]) // biome-ignore format: a vocabulary reads best in lines
/** Parts of the site around the page. */
const AROUND = new Set(['nav', 'footer', 'dialog', 'menu'])

/** An HTML page as tables with the headings, tabs and texts around them. */
export function htmlPage(html: string, titles: Titles = {}): Page {
  if ((html.match(/<[a-z]/gi)?.length ?? 0) > MAX_TAGS)
    throw new SnapshotError(`The page has more than ${MAX_TAGS} tags.`)
  const $ = load(html)
  const reader = new PageReader(titles)
  for (const node of $.root().contents().toArray()) reader.visit(node, 0)
  reader.endBlock()
  const language = $('html').attr('lang')?.trim()
  return { ...reader.page, text: reader.texts.join('\n'), ...(language && { language }) }
}

class PageReader {
  readonly page: Pick<Page, 'tables' | 'pressed'> = { tables: [], pressed: [] }
  readonly texts: string[] = []
  private readonly titles: Titles
  private headings: Heading[] = []
  private panes: string[] = []
  private before: string[] = []
  private block: string[] = []
  private codes: string[] = []
  /** Whether nothing but the heading itself was read since the last heading. */
  private afterHeading = false

  constructor(titles: Titles) {
    this.titles = titles
  }

  visit(node: Node, depth: number): void {
    if (depth > MAX_DEPTH) throw new SnapshotError(`The page has elements nested more than ${MAX_DEPTH} deep.`)
    if (isText(node)) {
      this.block.push(node.data)
      return
    }
    if (!isElement(node)) {
      if ('children' in node) for (const child of node.children) this.visit(child, depth + 1)
      return
    }
    if (isSkipped(node) || AROUND.has(node.name)) return
    if (isPressed(node)) this.page.pressed.push(cellOf(node).text)
    const level = /^h([1-6])$/.exec(node.name)?.[1]
    if (node.name === 'table') this.table(node)
    else if (level) this.heading(node, Number(level))
    else this.inside(node, depth)
  }

  private inside(node: Element, depth: number): void {
    if (node.name === 'code') this.codes.push(cellOf(node).text)
    if (node.name === 'astro-island' && this.island(node)) return
    const pane = paneOf(node)
    if (BLOCKS.has(node.name) || pane) this.endBlock()
    if (pane) {
      this.panes.push(pane)
      this.texts.push(pane)
    }
    for (const child of node.children) this.visit(child, depth + 1)
    if (BLOCKS.has(node.name) || pane) this.endBlock()
    if (pane) this.panes.pop()
  }

  /** Ends a paragraph: it heads what follows when it is declared to, or names the models of its heading. */
  endBlock(): void {
    const text = plainText(this.block.join(''))
    const codes = this.codes
    this.block = []
    this.codes = []
    if (text === '') return
    const level = lookUp(this.titles, headingKey(text))
    if (level !== undefined) {
      this.push({ level, text, codes })
      return
    }
    const onlyCodes = codes.reduce((rest, code) => rest.replace(code, ''), text)
    if (this.afterHeading && codes.length > 0 && /^(?:[\s,*_&]|and|or)*$/i.test(onlyCodes))
      this.headings.at(-1)!.codes.push(...codes)
    this.afterHeading = false
    this.say(text)
  }

  private say(text: string): void {
    this.before.push(text)
    this.texts.push(text)
  }

  private heading(element: Element, declared: number): void {
    this.endBlock()
    const { text, codes } = cellOf(element)
    if (text !== '') this.push({ level: lookUp(this.titles, headingKey(text)) ?? declared, text, codes })
  }

  private push(heading: Heading): void {
    this.headings = [...this.headings.filter(({ level }) => level < heading.level), heading]
    this.afterHeading = true
    this.say(heading.text)
  }

  private table(element: Element): void {
    const rows = rowsOf(element)
    const grid = gridOf(rows.map(({ cells }) => cells.map(cellOf)))
    const inHead = rows.map((row) => row.inHead)
    this.add(grid, headerRowsOf(grid, inHead))
  }

  /** A component that renders no table of what it is given. */
  private island(element: Element): boolean {
    const rows = hasTable(element, 0) ? undefined : islandRows(element.attribs.props)
    if (!rows) return false
    const none = { codes: [], links: [], labels: [] }
    const grid = rows.map((row, index) =>
      row.map((text) => ({ text: plainText(text), ...none, isHeading: index === 0 })),
    )
    this.add(grid, 1)
    return true
  }

  private add(rows: Cell[][], headerRows: number): void {
    this.endBlock()
    const { headings, panes, before } = this
    for (const row of rows) this.texts.push(row.map(({ text }) => text).join(' | '))
    this.page.tables.push({ headings, panes: [...panes], before, rows, headerRows } satisfies Table)
    this.before = []
    this.afterHeading = false
  }
}

const hasTable = (element: Element, depth: number): boolean =>
  depth < MAX_DEPTH &&
  element.children.filter(isElement).some((child) => child.name === 'table' || hasTable(child, depth + 1))

const isPressed = ({ attribs }: Element): boolean =>
  attribs['aria-pressed'] === 'true' || attribs['aria-checked'] === 'true' || attribs['aria-selected'] === 'true'

/** What a tab or a fold is called. */
function paneOf({ name, attribs }: Element): string | undefined {
  if (name === 'tab' || name === 'accordion') return attribs.title
  return 'data-content-switcher-pane' in attribs ? attribs['data-value'] : undefined
}

type Row = { cells: Element[]; inHead: boolean }

/** The rows of a table, without those of tables inside it. */
function rowsOf(table: Element): Row[] {
  const rows: Row[] = []
  for (const part of table.children.filter(isElement)) {
    const found = part.name === 'tr' ? [part] : part.children.filter(isElement)
    for (const row of found)
      if (row.name === 'tr') {
        const cells = row.children.filter(isElement).filter(({ name }) => name === 'td' || name === 'th')
        rows.push({ cells, inHead: part.name === 'thead' })
      }
  }
  return rows
}

/** The rows at the top that are in the head, or hold headings alone; without any the first row is taken for one. */
function headerRowsOf(grid: Cell[][], inHead: boolean[]): number {
  const first = grid.findIndex((row, at) => !inHead[at] && !(row.length > 0 && row.every(({ isHeading }) => isHeading)))
  return Math.max(1, first < 0 ? grid.length : first)
}
