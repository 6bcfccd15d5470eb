/** Lines that are indented so far are commands or quotations: they are copied, so they are not broken. */
const VERBATIM = /^ {4}/
/** A column is not made narrower than this; then each row becomes a paragraph. */
const NARROWEST = 12
const GAP = '  '

/** Returns a text whose lines are broken between words where they are wider than `width`. */
export const wrap = (text: string, width: number): string =>
  text
    .split('\n')
    .flatMap((line) => (VERBATIM.test(line) ? [line] : brokenLine(line, width)))
    .join('\n')

/** What a line breaks into; the parts after the first are indented like it, and under the text of a list item. */
function brokenLine(line: string, width: number): string[] {
  if (line.length <= width) return [line]
  const [indent = ''] = /^ *(?:[-•×] )?/.exec(line) ?? []
  const [first = '', ...rest] = broken(line.slice(indent.length), width - indent.length)
  return [`${indent}${first}`, ...rest.map((part) => `${' '.repeat(indent.length)}${part}`)]
}

/** Words in lines of at most `width`; a word that is longer, such as an address or an id, stays whole. */
function broken(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.trim().split(/ +/)) {
    if (line !== '' && line.length + 1 + word.length > width) {
      lines.push(line)
      line = word
    } else line = line === '' ? word : `${line} ${word}`
  }
  return [...lines, line]
}

/**
 * Returns a table that is at most `width` wide: cells are broken between words. Where that is not enough, each row
 * becomes a paragraph. Columns that are empty in every row are left out.
 */
export function layTable(head: string[], rows: string[][], width: number): string {
  if (rows.length === 0) return head.join(GAP)
  const used = head.map((_, column) => column).filter((column) => rows.some((row) => row[column]))
  const cells = [head, ...rows].map((row) => used.map((column) => row[column] ?? ''))
  const widths = widthsOf(cells, width)
  if (!widths) return rows.map((row) => paragraph(head, row, width)).join('\n\n')
  return cells.flatMap((row) => brokenRow(row, widths)).join('\n')
}

function brokenRow(row: string[], widths: number[]): string[] {
  const columns = row.map((cell, column) => broken(cell, widths[column]!))
  const height = Math.max(...columns.map(({ length }) => length))
  return Array.from({ length: height }, (_, n) =>
    columns
      .map((lines, column) => (lines[n] ?? '').padEnd(widths[column]!))
      .join(GAP)
      .trimEnd(),
  )
}

/** The widest columns give way, as far as their longest word allows. Undefined: they do not fit beside each other. */
function widthsOf(cells: string[][], width: number): number[] | undefined {
  const columns = cells[0]!.map((_, column) => cells.map((row) => row[column]!))
  const natural = columns.map((column) => Math.max(...column.map(({ length }) => length)))
  const least = columns.map((column, n) =>
    Math.min(
      natural[n]!,
      Math.max(NARROWEST, ...column.flatMap((cell) => cell.split(' ').map(({ length }) => length))),
    ),
  )
  const free = width - GAP.length * (columns.length - 1)
  if (sum(least) > free) return undefined
  const widths = [...natural]
  while (sum(widths) > free) {
    const widest = widths.reduce((best, value, n) => (slack(value, n) > slack(widths[best]!, best) ? n : best), 0)
    widths[widest]! -= 1
  }
  return widths

  function slack(value: number, n: number): number {
    return value > least[n]! ? value : 0
  }
}

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0)

/** A row by itself: its first cell, and below it the others by name. */
function paragraph(head: string[], [first = '', ...rest]: string[], width: number): string {
  const names = head.slice(1).map((name) => name.toLowerCase())
  const longest = Math.max(0, ...names.map(({ length }) => length))
  const lines = rest.flatMap((cell, n) => {
    if (!cell) return []
    const [text = '', ...more] = broken(cell, width - longest - 2 * GAP.length)
    const margin = ' '.repeat(longest + 2 * GAP.length)
    return [`${GAP}${names[n]!.padEnd(longest)}${GAP}${text}`, ...more.map((line) => `${margin}${line}`)]
  })
  return [first, ...lines].join('\n')
}
