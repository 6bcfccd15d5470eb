import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { getDocument, VerbosityLevel } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { UnreadableDocument } from '../../errors.ts'
import { startsWithMixedNumber } from '../../normalize/line-text-rules.ts'
import type { ExtractedText } from '../../schema.ts'
import { tidyMarkdown } from '../markdown.ts'
import { readingOrder } from './columns-rules.ts'
import { type Item, type Line, type Segment, segmentsOf, withoutRunning } from './lines-rules.ts'

const MAX_PDF_PAGES = 400
const HEADING_SCALE = 1.15

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
    const pages: Segment[][] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      pages.push(segmentsOf((await page.getTextContent()).items as Item[], number))
      page.cleanup()
    }
    const lines = readingOrder(withoutRunning(pages))
    return { kind: 'pdf', markdown: toMarkdown(lines), signals: lines.length === 0 ? ['pictures of text'] : [] }
  } catch (error) {
    if (error instanceof UnreadableDocument) throw error
    throw new UnreadableDocument(`it is not a PDF that can be read: ${error instanceof Error ? error.message : error}`)
  } finally {
    await task.destroy()
  }
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

/** Whether a line goes on with the paragraph: close below it, or on the next page or column in the middle of a sentence. */
function continues(above: Line, line: Line, text: string): boolean {
  if (above.flow !== line.flow || startsItem(line.text, text)) return false
  if (above.part !== line.part) return !'.:;!?'.includes(text.at(-1)!)
  const gap = above.y - line.y
  return gap > 0 && gap < Math.max(above.size, line.size) * 1.6 && Math.abs(above.size - line.size) < 1
}

/** Whether a line is an item or a clause of its own. `3.2` and `A.1.` also stand inside sentences: they begin a clause after one. */
function startsItem(line: string, before: string): boolean {
  if (/^(?:[•●▪◦-]|\(?[a-z0-9]{1,3}[.)])\s/i.test(line)) return true
  const isNumbered = /^\d{1,3}(?:\.\d{1,3})+\.?\s/.test(line) || startsWithMixedNumber(line)
  return isNumbered && /[.:;!?)”"]$|\b(?:and|or|und|oder|et|ou|y|o)$/.test(before)
}
