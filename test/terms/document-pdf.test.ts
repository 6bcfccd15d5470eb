import { describe, expect, it } from 'vitest'
import { extractText } from '../../src/terms/extract/extract-text.ts'
import { readDocument } from '../../src/terms/read/read-document.ts'
import { isolation } from './pages.ts'

type Line = { text: string; y: number; size?: number }

/** A PDF made by hand: pages of lines at given heights, in Helvetica. */
function pdf(pages: Line[][]): Uint8Array {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [i, lines] of pages.entries()) {
    const stream = lines.map(({ text, y, size = 11 }) => `BT /F1 ${size} Tf 72 ${y} Td (${text}) Tj ET`).join('\n')
    add(
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Resources << /Font << /F1 3 0 R >> >> /Contents ${5 + i * 2} 0 R >>`,
    )
    add(`<< /Length ${stream.length} >>\nstream\n${stream}\nendstream`)
  }
  let text = '%PDF-1.4\n'
  const offsets = objects.map((body, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${String(at).padStart(10, '0')} 00000 n \n`).join('')
  text += `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}trailer\n<< /Size ${objects.length + 1} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF`
  return Buffer.from(text, 'latin1')
}

const page = (number: number, body: Line[]): Line[] => [
  { text: 'Example, Inc. - Confidential', y: 760, size: 8 },
  ...body,
  { text: `Page ${number} of 3`, y: 30, size: 8 },
]

const DOCUMENT = pdf([
  page(1, [
    { text: 'Data Processing Addendum', y: 720, size: 18 },
    { text: 'Effective: January 1, 2026', y: 690 },
    { text: 'This addendum governs how the provider processes the personal data of its cus-', y: 660 },
    { text: 'tomers. It is part of the agreement and stands above it where they', y: 646 },
  ]),
  page(2, [
    { text: 'contradict each other.', y: 720 },
    { text: '1. Instructions', y: 690, size: 14 },
    { text: 'The provider follows the instructions of the customer.', y: 666 },
  ]),
  page(3, [{ text: 'The annexes are part of this addendum.', y: 720 }]),
])

describe('a PDF', () => {
  const selectors = { select: [], remove: [] }
  const read = () => extractText({ bytes: DOCUMENT, contentType: 'application/pdf', selectors })

  it('is read as paragraphs and headings, without running lines and page numbers, words joined again', async () => {
    const { kind, markdown } = await read()
    expect(kind).toBe('pdf')
    expect(markdown.split('\n\n')).toEqual([
      '## Data Processing Addendum',
      'Effective: January 1, 2026',
      'This addendum governs how the provider processes the personal data of its customers. It is part of the agreement and stands above it where they contradict each other.',
      '## 1. Instructions',
      'The provider follows the instructions of the customer.',
      'The annexes are part of this addendum.',
    ])
  })

  it('reads the same in a process of its own, where every document is read', async () => {
    const content = { bytes: DOCUMENT, contentType: 'application/pdf', selectors }
    expect(await readDocument(isolation, { content })).toMatchObject({ markdown: (await read()).markdown })
  })

  it('keeps clauses that differ in their numbers only, one page after another', async () => {
    const clauses = Array.from({ length: 6 }, (_, i) => [
      { text: `The fee of service ${i + 1} is ${10 + i} euros for each month.`, y: 700 },
      { text: `Notice of ${i + 1} months ends service ${i + 1} at the end of a month.`, y: 600 },
    ])
    const { markdown, signals } = await extractText({ bytes: pdf(clauses), contentType: 'application/pdf', selectors })
    expect(signals).toEqual([])
    for (let i = 0; i < 6; i++) expect(markdown).toContain(`The fee of service ${i + 1} is ${10 + i} euros`)
    expect(markdown).toContain('Notice of 4 months ends service 4')
  })

  it('says so when it holds pictures of text', async () => {
    const blank = pdf([[]])
    const derived = await extractText({ bytes: blank, contentType: 'application/pdf', selectors })
    expect(derived).toMatchObject({ markdown: '', signals: ['pictures of text'] })
  })
})
