import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { readDocument } from '../../../src/terms/read/read-document.task.ts'

const TEXT = Array.from(
  { length: 8 },
  (_, i) => `<p>${Array.from({ length: 30 }, (_, k) => `clause${i}x${k}`).join(' ')}</p>`,
).join('')
const SELECTORS = { select: [], remove: [] }
const page = (header: string) => `<body><div><header>${header}</header><main>${TEXT}</main></div></body>`
/** What stands before the first clause. */
const head = (html: string) => extractHtml(html, SELECTORS).markdown.split('\n\nclause0x0')[0]

describe('the date of a document in the header of its page', () => {
  it.each<[what: string, header: string, kept: string]>([
    ['below the title', '<h1>Terms</h1><p>Effective May 1, 2026</p>', '# Terms\n\nEffective May 1, 2026'],
    ['above it', '<p>Last updated: <b>May 1, 2026</b></p><h1>Terms</h1>', '# Terms\n\nLast updated: **May 1, 2026**'],
    [
      'in a part of it',
      '<a href="/">Home</a><div><h1>Terms</h1><p>Effective May 1, 2026</p><p>Updated May 2, 2026</p></div><p>Menu</p>',
      '# Terms\n\nEffective May 1, 2026\n\nUpdated May 2, 2026',
    ],
    [
      'as a line beside what leads elsewhere',
      '<h1>Terms</h1><p>May 1, 2026</p><a href="/">Home</a>',
      '# Terms\n\nMay 1, 2026',
    ],
  ])('is kept: %s', (_, header, kept) => {
    expect(head(page(header))).toBe(kept)
    expect(head(page(header).replaceAll(/<\/?div>/g, ''))).toBe(kept)
  })

  it('is not what else a header or a footer says with a date', () => {
    for (const said of ['Sale until May 1, 2026', 'Version 2 is out since May 1, 2026', '© 2026 Example'])
      expect(head(page(`<h1>Terms</h1><p>${said}</p>`))).toBe('# Terms')
    expect(head(`<body><header><h1>Terms</h1></header><main>${TEXT}</main><footer>May 1, 2026</footer></body>`)).toBe(
      '# Terms',
    )
  })

  it('is the effective date, and a change of dates when it alone changed', async () => {
    const read = (day: string, current?: { markdown: string }) =>
      readDocument({
        content: {
          bytes: Buffer.from(page(`<h1>Terms</h1><p>Effective ${day}</p>`)),
          contentType: 'text/html',
          selectors: SELECTORS,
        },
        current,
      })
    const before = await read('May 1, 2026')
    expect(before).toMatchObject({ effectiveDate: '2026-05-01' })
    const after = await read('June 1, 2026', before as { markdown: string })
    expect(after).toMatchObject({ effectiveDate: '2026-06-01', comparison: { classification: 'dates' } })
  })
})
