/** A piece of text as pdf.js gives it. */
export type Item = { str: string; transform: number[]; height: number; width: number; hasEOL: boolean }

/** A run of text on one line: what a wide gap separates from it is another segment of the same row. */
export type Segment = { text: string; x: number; right: number; y: number; size: number; page: number; row: number }

/**
 * A line of text. Lines of one `flow` are read one after another; where `part` changes (the next page or column), a
 * sentence may go on.
 */
export type Line = { text: string; y: number; size: number; page: number; part: number; flow: number }

/** A gap of this many times the size of the letters separates columns; a smaller one separates words. */
const COLUMN_GAP = 1.2
const WORD_GAP = 0.15

/** Returns the segments of a page in the order in which the page draws them. */
export function segmentsOf(items: Item[], page: number): Segment[] {
  const segments: Segment[] = []
  let [row, ended] = [0, true]
  for (const item of items) {
    if (item.str === undefined) continue
    const [x, y] = [item.transform[4] ?? 0, item.transform[5] ?? 0]
    const size = item.height || Math.abs(item.transform[3] ?? 0)
    let last = segments.at(-1)
    if (item.str.trim() !== '') {
      if (!last || ended || Math.abs(last.y - y) > size * 0.5) {
        last = { text: '', x, right: x, y, size, page, row: ++row }
        segments.push(last)
      } else if (x - last.right > size * COLUMN_GAP || x < last.x - size) {
        last = { text: '', x, right: x, y: last.y, size, page, row }
        segments.push(last)
      } else if (x - last.right > size * WORD_GAP) last.text += ' '
      last.text += item.str
      last.size = Math.max(last.size, size)
      last.right = x + item.width
      ended = false
    } else if (last) last.text += ' '
    if (item.hasEOL) ended = true
  }
  return segments.map((segment) => ({ ...segment, text: segment.text.replace(/\s+/g, ' ').trim() }))
}

/** Joins the segments of each row to a line. */
export function linesOf(segments: Segment[], part: number, flow: number): Line[] {
  const lines: (Line & { row: number })[] = []
  for (const { text, y, size, page, row } of segments) {
    const last = lines.at(-1)
    if (last?.row === row) {
      last.text += ` ${text}`
      last.size = Math.max(last.size, size)
    } else lines.push({ text, y, size, page, part, flow, row })
  }
  return lines.map(({ row: _, ...line }) => line)
}

/** Running lines are a small part of a document: more than this share of its lines are its text. */
const RUNNING_LINES = 0.4
/** A line that is on at least this share of the pages is a running header or footer. */
const RUNNING_SHARE = 0.6
const RUNNING_PAGES = 3
/** A running line is among this many at the top or bottom of its page. */
const EDGE_LINES = 3

/** Returns the segments without page numbers and without the headers and footers that are on most pages. */
export function withoutRunning(pages: Segment[][]): Segment[][] {
  const rows = pages.map(rowsOf)
  const key = ({ text, page }: Row) => text.replace(/\d+/g, (number) => (Number(number) === page ? '#' : number))
  const seen = new Map<string, Set<number>>()
  for (const row of rows.flat()) seen.set(key(row), (seen.get(key(row)) ?? new Set()).add(row.page))
  const atEdge = new Set(rows.flatMap(edgesOf))
  const repeats = (row: Row) =>
    pages.length >= RUNNING_PAGES && atEdge.has(row) && (seen.get(key(row))?.size ?? 0) >= pages.length * RUNNING_SHARE
  const all = rows.flat()
  const isText = all.filter(repeats).length > all.length * RUNNING_LINES
  const isRunning = (row: Row) =>
    (!isText && repeats(row)) || /^(?:page )?\d{1,3}(?: (?:of|\/) \d{1,3})?$/i.test(row.text)
  return rows.map((page) => page.filter((row) => !isRunning(row)).flatMap(({ segments }) => segments))
}

type Row = { text: string; y: number; page: number; segments: Segment[] }

function rowsOf(segments: Segment[]): Row[] {
  const rows = new Map<number, Row>()
  for (const segment of segments) {
    const known = rows.get(segment.row)
    if (known) {
      known.text += ` ${segment.text}`
      known.segments.push(segment)
    } else rows.set(segment.row, { text: segment.text, y: segment.y, page: segment.page, segments: [segment] })
  }
  return [...rows.values()]
}

function edgesOf(rows: Row[]): Row[] {
  const byHeight = rows.toSorted((a, b) => b.y - a.y)
  return [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)]
}
