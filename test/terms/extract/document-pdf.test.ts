import { describe, expect, it } from 'vitest'
import { extractText } from '../../../src/terms/extract/extract-text.ts'
import { readDocument } from '../../../src/terms/read/read-document.ts'
import { isolation } from '../../support/isolation.ts'

type Line = { text: string; y: number; size?: number; x?: number }

/** A PDF made by hand: pages of lines at given heights, in Helvetica. */
function pdf(pages: Line[][]): Uint8Array {
  const objects: string[] = []
  const add = (body: string) => objects.push(body)
  add('<< /Type /Catalog /Pages 2 0 R >>')
  add(`<< /Type /Pages /Kids [${pages.map((_, i) => `${4 + i * 2} 0 R`).join(' ')}] /Count ${pages.length} >>`)
  add('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  for (const [i, lines] of pages.entries()) {
    const stream = lines
      .map(({ text, y, size = 11, x = 72 }) => `BT /F1 ${size} Tf ${x} ${y} Td (${text}) Tj ET`)
      .join('\n')
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

  it('has 400 pages at most', async () => {
    const blank = (pages: number) => extractText({ bytes: pdf(Array(pages).fill([])), selectors })
    expect(await blank(400)).toMatchObject({ markdown: '', signals: ['pictures of text'] })
    await expect(blank(401)).rejects.toThrow('it has more than 400 pages')
  })

  it('takes for headings what is larger than most of its words, however much is smaller', async () => {
    const lines = [
      { text: 'Fees', y: 740, size: 16 },
      { text: 'The customer pays the fees of each month within thirty days of the invoice.', y: 700, size: 12 },
      { text: 'A footnote that says in small letters what the fees of some months are.', y: 600, size: 8 },
    ]
    expect(await textOf([lines])).toEqual(['## Fees', lines[1]!.text, lines[2]!.text])
  })

  it('has a paragraph for each clause, also where its lines are all as far from each other', async () => {
    const lines = [
      'The parties agree to all of the following, as it is written in Section',
      'A.1. of the annex and in its other parts.',
      'A.1. The provider follows the instructions.',
      'C.1.a.ii. The customer gives them in writing.',
      '3.2(b) sell the service to others;',
      '3.2(c) You may not rent it.',
    ]
    const read = await textOf([lines.map((text, i) => ({ text, y: 700 - i * 14 }))])
    expect(read).toEqual([`${lines[0]} ${lines[1]}`, ...lines.slice(2)])
  })

  const [LEFT, RIGHT] = [60, 320]
  /** A page whose rows are drawn as a contract in two columns is: the left cell, then the right one. */
  const columns = (rows: [left: string, right: string][], top = 700): Line[] =>
    rows.flatMap(([left, right], i) => [
      { text: left, x: LEFT, y: top - i * 14, size: 10 },
      { text: right, x: RIGHT, y: top - i * 14, size: 10 },
    ])
  const textOf = async (pages: Line[][]) => {
    const extracted = await extractText({ bytes: pdf(pages), contentType: 'application/pdf', selectors })
    return extracted.markdown.split('\n\n')
  }

  it('in two languages is read one language after the other, over all of its pages', async () => {
    const pages = [
      [
        { text: 'Data Processing Agreement / Auftragsverarbeitung', x: LEFT, y: 740, size: 16 },
        ...columns([
          ['1. The provider processes personal data only', '1. Der Anbieter verarbeitet die Daten nur'],
          ['on the documented instructions of the customer.', 'nach den dokumentierten Weisungen des Kunden.'],
          ['2. The provider informs the customer without', '2. Der Anbieter informiert den Kunden ohne'],
          ['undue delay about every breach of security and', 'Verzug von jeder Verletzung der Sicherheit und'],
        ]),
      ],
      columns([
        ['about what was done against its consequences.', 'was gegen ihre Folgen getan worden ist.'],
        ['3. The customer may audit the provider once a', '3. Der Kunde darf den Anbieter einmal in jedem'],
        ['year and pays for the work that this causes.', 'Jahr pruefen und zahlt den Aufwand dafuer.'],
        ['4. This agreement ends with the main contract.', '4. Diese Vereinbarung endet mit dem Vertrag.'],
      ]),
    ]
    expect(await textOf(pages)).toEqual([
      '## Data Processing Agreement / Auftragsverarbeitung',
      '1. The provider processes personal data only on the documented instructions of the customer.',
      '2. The provider informs the customer without undue delay about every breach of security and about what was done against its consequences.',
      '3. The customer may audit the provider once a year and pays for the work that this causes.',
      '4. This agreement ends with the main contract.',
      '1. Der Anbieter verarbeitet die Daten nur nach den dokumentierten Weisungen des Kunden.',
      '2. Der Anbieter informiert den Kunden ohne Verzug von jeder Verletzung der Sicherheit und was gegen ihre Folgen getan worden ist.',
      '3. Der Kunde darf den Anbieter einmal in jedem Jahr pruefen und zahlt den Aufwand dafuer.',
      '4. Diese Vereinbarung endet mit dem Vertrag.',
    ])
  })

  it('in two columns of one text is read page by page, the left column first', async () => {
    const page = (from: number) =>
      columns(
        Array.from({ length: 6 }, (_, i) => [
          `${from + i}. The left clause ${from + i} says what is due.`,
          `${from + 6 + i}. The right clause ${from + 6 + i} says when it ends.`,
        ]),
      )
    const numbers = (await textOf([page(1), page(13)])).map((clause) => Number(clause.split('.')[0]))
    expect(numbers).toEqual(Array.from({ length: 24 }, (_, i) => i + 1))
  })

  it('keeps the rows of a table together, which are not columns of text', async () => {
    const rows = columns(
      Array.from({ length: 8 }, (_, i) => [`Service level number ${i} of the list of plans`, `${i}.50 EUR`]),
    )
    const [first] = await textOf([rows])
    expect(first).toContain('Service level number 0 of the list of plans 0.50 EUR')
  })

  it('begins a paragraph with each numbered clause, and not where a clause is named in a sentence', async () => {
    const lines = [
      '3.1 The fees of the provider are described in section',
      '4.2 of this agreement and in the price list.',
      '3.2 The customer pays the fees in advance.',
    ].map((text, i) => ({ text, y: 700 - i * 14 }))
    expect(await textOf([lines])).toEqual([
      '3.1 The fees of the provider are described in section 4.2 of this agreement and in the price list.',
      '3.2 The customer pays the fees in advance.',
    ])
  })

  it('says so when it holds pictures of text', async () => {
    const blank = pdf([[]])
    const derived = await extractText({ bytes: blank, contentType: 'application/pdf', selectors })
    expect(derived).toMatchObject({ markdown: '', signals: ['pictures of text'] })
  })
})
