import { describe, expect, it } from 'vitest'
import { extractHtml } from '../../../src/terms/extract/html.ts'
import { blocksOf, classify, differenceOf, sideBySide } from '../compare/read.ts'

const lines = (...all: string[]) => all.join('\n\n')
const TERMS = lines(
  '# Terms of Service',
  'These terms apply to everyone who uses the service.',
  '## 2. Use',
  '2.1 You may use the service for your own purposes only.',
  '2.2 You may not do any of the following:',
  '(a) copy the service or any part of it for others;',
  '(b) sell the service or any part of it to others.',
  '### Notices',
  '- We send notices by electronic mail to your address.\n    - They count as received on the next day.',
)

describe('the text that people read', () => {
  it('has the numbers, bullets and levels of the document, so that it can be cited', () => {
    const { rows } = sideBySide(TERMS, TERMS)
    expect(rows.map(({ right, clause, level, depth }) => [right, clause, level, depth])).toEqual([
      ['# Terms of Service', undefined, 1, undefined],
      ['These terms apply to everyone who uses the service.', undefined, undefined, undefined],
      ['## 2. Use', '2', 2, undefined],
      ['2.1 You may use the service for your own purposes only.', '2.1', undefined, undefined],
      ['2.2 You may not do any of the following:', '2.2', undefined, undefined],
      ['(a) copy the service or any part of it for others;', '2.2(a)', undefined, undefined],
      ['(b) sell the service or any part of it to others.', '2.2(b)', undefined, undefined],
      ['### Notices', '2', 3, undefined],
      ['• We send notices by electronic mail to your address.', '2', undefined, 1],
      ['• They count as received on the next day.', '2', undefined, 2],
    ])
  })

  it('has each version’s own numbers where a clause moved on, which is not a change', () => {
    const after = TERMS.replace('(a) copy', '(a) break the protection of the service;\n\n(b) copy').replace(
      '(b) sell',
      '(c) sell',
    )
    const kept = sideBySide(TERMS, after).rows.find(({ left }) => left?.startsWith('(b) sell'))
    expect(kept).toMatchObject({
      kind: 'same',
      clause: '2.2(c)',
      left: expect.stringMatching(/^\(b\) sell/),
      right: expect.stringMatching(/^\(c\) sell/),
    })
    const { changes, diff, sections } = differenceOf(TERMS, after)
    expect(changes).toMatchObject([{ section: 'Use', clause: '2.2(a)', wordsAdded: 6, wordsRemoved: 0 }])
    expect(diff).toContain('\n+(a) break the protection of the service;')
    expect(sections[0]!.added).toEqual(['(a) break the protection of the service;'])
    expect(classify(TERMS, TERMS.replace('2.1 You', '2.7 You').replace('- We', '1. We'))).toBe('cosmetic')
  })
})

describe('a line that breaks elsewhere', () => {
  const broken = TERMS.replace('uses the service.', 'uses\nthe service.').replace('Mail to\n', 'mail to ')
  it('is not a change', () => {
    expect(classify(TERMS, broken)).toBe('cosmetic')
    const Title = 'Use The Service As It Is And As It Was Before For All'
    expect(classify(lines(TERMS, Title), lines(TERMS, Title.replace(' As It Was', '\nAs It Was')))).toBe('cosmetic')
  })

  it('is not shown beside a change', () => {
    const split = TERMS.replace('for your own purposes only.', 'for your\nown purposes only.')
    const after = split.replace('copy the service or any part', 'copy the Service or a part')
    const { changes, wordsAdded, wordsRemoved, sections } = differenceOf(TERMS, after)
    expect(changes.map(({ clause }) => clause)).toEqual(['2.2(a)'])
    expect([wordsRemoved, wordsAdded]).toEqual([2, 2])
    expect(sections).toHaveLength(1)
  })

  it('is not shown within one run of changed paragraphs', () => {
    const before = lines(
      '# Terms',
      'One two three. Four five six.',
      'Seven eight nine ten.',
      'Keep this one. And this one.',
    )
    const after = lines(
      '# Terms',
      'One two three.',
      'Four five six.',
      'Seven eight nine eleven.',
      'Keep this one.',
      'And this one.',
    )
    const { changes, sections } = differenceOf(before, after)
    expect(changes).toMatchObject([{ wordsRemoved: 1, wordsAdded: 1 }])
    expect(sections).toMatchObject([{ removed: ['Seven eight nine ten.'], added: ['Seven eight nine eleven.'] }])
  })
})

describe('a list with letters or Roman numbers', () => {
  it('keeps them', () => {
    const html =
      '<h2>3. Use</h2><ol type="a"><li>You may use it.</li><li><p>You may not:</p><ol type="i" start="4">' +
      '<li>sell it.</li><li>rent it.</li></ol></li></ol><ol type="A" start="27"><li>It ends.</li></ol>' +
      '<ol><li>One.</li></ol><ol type="1" start="2"><li>Two.</li></ol>'
    const markdown = extractHtml(`<main>${html}</main>`, { select: ['main'], remove: [] }).markdown
    expect(markdown).toContain('-   a. You may use it.')
    expect(
      blocksOf(`# Terms\n\n${markdown}`)
        .map(({ clause, marker, depth }) => [clause, marker, depth])
        .slice(0, 6),
    ).toEqual([
      [undefined, undefined, undefined],
      ['3', '3.', undefined],
      ['3(a)', 'a.', 1],
      ['3(b)', 'b.', 1],
      ['3(b)(iv)', 'iv.', 2],
      ['3(b)(v)', 'v.', 2],
    ])
    expect(markdown).toContain('AA. It ends.')
    expect(markdown).toMatch(/1\. +One\.\s+2\. +Two\./)
  })
})
