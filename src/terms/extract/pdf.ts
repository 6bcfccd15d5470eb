import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { UnreadableDocument } from '../errors.ts'
import type { ExtractedText } from '../schema.ts'
import { tidyMarkdown } from './markdown.ts'

const MAX_PDF_PAGES = 400
const HEADING_SCALE = 1.15
/** A line that is on at least this share of the pages is a running header or footer. */
const RUNNING_SHARE = 0.6
const RUNNING_PAGES = 3

type Line = { text: string; y: number; size: number; page: number }

const require = createRequire(import.meta.url)
const package_ = dirname(require.resolve('pdfjs-dist/package.json'))

/** The text of a PDF as Markdown: lines joined to paragraphs, large lines as headings, running headers left out. */
export async function extractPdf(bytes: Uint8Array): Promise<ExtractedText> {
  const task = getDocument({
    data: new Uint8Array(bytes), // pdf.js takes the buffer away
    isEvalSupported: false,
    useSystemFonts: false,
    disableFontFace: true,
    enableXfa: false,
    stopAtErrors: false,
    verbosity: VerbosityLevel.ERRORS,
    standardFontDataUrl: `${join(package_, 'standard_fonts')}/`,
    cMapUrl: `${join(package_, 'cmaps')}/`,
  })
  try {
    const document = await task.promise
    if (document.numPages > MAX_PDF_PAGES) throw new UnreadableDocument(`it has more than ${MAX_PDF_PAGES} pages`)
    const lines: Line[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      for (const line of linesOf((await page.getTextContent()).items as Item[], number)) lines.push(line)
      page.cleanup()
    }
    const kept = withoutRunning(lines, document.numPages)
    return { kind: 'pdf', markdown: toMarkdown(kept), signals: kept.length === 0 ? ['pictures of text'] : [] }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is not a PDF that can be read: ${error instanceof Error ? error.message : error}`)
  } finally {
    await task.destroy()
  }
}

type Item = { str: string; transform: number[]; height: number; width: number; hasEOL: boolean }

function linesOf(items: Item[], page: number): Line[] {
  const lines: Line[] = []
  let [line, right]: [Line | undefined, number] = [undefined, 0]
  for (const item of items) {
    if (item.str === undefined) continue
    const [x, y] = [item.transform[4] ?? 0, item.transform[5] ?? 0]
    const size = item.height || Math.abs(item.transform[3] ?? 0)
    if (item.str.trim() !== '') {
      if (!line || Math.abs(line.y - y) > size * 0.5) {
        line = { text: '', y, size, page }
        lines.push(line)
      } else if (x - right > size * 0.15 && !line.text.endsWith(' ')) line.text += ' '
      line.text += item.str
      line.size = Math.max(line.size, size)
    } else if (line && !line.text.endsWith(' ')) line.text += ' '
    right = x + item.width
    if (item.hasEOL) line = undefined
  }
  return lines.map((raw) => ({ ...raw, text: raw.text.replace(/\s+/g, ' ').trim() })).filter(({ text }) => text !== '')
}

/** Removes page numbers and lines that are on most pages. */
/** Running lines are a small part of a document: more than this of its lines are its text. */
const RUNNING_LINES = 0.4
/** A running line is among so many at the top or bottom of its page. */
const EDGE_LINES = 3

function withoutRunning(lines: Line[], pages: number): Line[] {
  const key = (line: Line) => line.text.replace(/\d+/g, (number) => (Number(number) === line.page ? '#' : number))
  const atEdge = edgeLines(lines)
  const seen = new Map<string, Set<number>>()
  for (const line of lines) seen.set(key(line), (seen.get(key(line)) ?? new Set()).add(line.page))
  const repeats = (line: Line) =>
    pages >= RUNNING_PAGES && atEdge.has(line) && (seen.get(key(line))?.size ?? 0) >= pages * RUNNING_SHARE
  const isText = lines.filter(repeats).length > lines.length * RUNNING_LINES
  const running = (line: Line) => {
    return (!isText && repeats(line)) || /^(?:page )?\d{1,3}(?: (?:of|\/) \d{1,3})?$/i.test(line.text)
  }
  return lines.filter((line) => !running(line))
}

function edgeLines(lines: Line[]): Set<Line> {
  const pages = new Map<number, Line[]>()
  for (const line of lines) pages.set(line.page, [...(pages.get(line.page) ?? []), line])
  return new Set(
    [...pages.values()].flatMap((page) => {
      const byHeight = page.toSorted((a, b) => b.y - a.y)
      return [...byHeight.slice(0, EDGE_LINES), ...byHeight.slice(-EDGE_LINES)]
    }),
  )
}

function toMarkdown(lines: Line[]): string {
  const sizes = lines
    .flatMap((line) => Array<number>(line.text.split(' ').length).fill(line.size))
    .sort((a, b) => a - b)
  const body = sizes[Math.floor(sizes.length / 2)] ?? 0
  const blocks: { text: string; heading: boolean; last: Line }[] = []
  for (const line of lines) {
    const heading = line.size > body * HEADING_SCALE && line.text.length < 200
    const block = blocks.at(-1)
    if (block && block.heading === heading && continues(block.last, line, block.text)) {
      block.text =
        /\p{L}-$/u.test(block.text.slice(-3)) && /^\p{Ll}/u.test(line.text)
          ? block.text.slice(0, -1) + line.text
          : `${block.text} ${line.text}`
      block.last = line
    } else blocks.push({ text: line.text, heading, last: line })
  }
  return tidyMarkdown(blocks.map((block) => (block.heading ? `## ${block.text}` : block.text)).join('\n\n'))
}

/** Whether a line goes on with the paragraph: close below it, or on the next page in the middle of a sentence. */
function continues(above: Line, line: Line, text: string): boolean {
  if (/^(?:[•●▪◦-]|\(?[a-z0-9]{1,3}[.)])\s/i.test(line.text)) return false
  if (above.page !== line.page) return !'.:;!?'.includes(text.at(-1)!)
  const gap = above.y - line.y
  return gap > 0 && gap < Math.max(above.size, line.size) * 1.6 && Math.abs(above.size - line.size) < 1
}
