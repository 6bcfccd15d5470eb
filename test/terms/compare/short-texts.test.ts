import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../../src/terms/compare/classify-rules.ts'
import { normalFormWithoutDates, readText } from '../../../src/terms/normalize/normal-form-rules.ts'

/** A text that ends in a sentence, so that what comes before it is not the end of a page. */
const text = (...parts: string[]) => [...parts, 'You keep all rights in what you send to us.'].join('\n\n')
const formOf = (...parts: string[]) => readText(text(...parts)).normalForm
const blocksOf = (...parts: string[]) => readText(text(...parts)).blocks.slice(0, -1)

function classify(before: string[], after: string[]) {
  const [a, b] = [readText(text(...before)), readText(text(...after))]
  return classifyTexts(a, b, changesBetween(a, b))
}

describe('the paragraphs of a text', () => {
  it('have their heading, their clause and their words', () => {
    expect(blocksOf('## 2. Fees', 'We ask for it in advance.', '(a) You pay in full, and at once.')).toEqual([
      {
        text: '## Fees',
        heading: true,
        level: 2,
        marker: '2.',
        section: 'Fees',
        words: ['Fees'],
        key: 'Fees',
        clause: '2',
        item: true,
      },
      expect.objectContaining({ text: 'We ask for it in advance.', heading: false, section: 'Fees', clause: '2' }),
      expect.objectContaining({ text: 'You pay in full, and at once.', section: 'Fees', clause: '2(a)' }),
    ])
  })

  it('are rows with their names and entries with where they lead', () => {
    const [, list, row] = blocksOf(
      '## Rules',
      'We use these sub-processors:',
      '[Alpha](https://alpha.example/a)[Beta](/b)',
    ).slice(0, 3)
    expect(list).not.toHaveProperty('row', expect.anything())
    expect(row).toMatchObject({
      text: 'Alpha (alpha.example/a)',
      row: 'Alpha',
      item: true,
      words: ['Alpha', 'alpha.example/a'],
    })
  })

  it.each([
    ['## Section 5: Fees', '3. You pay in full.', '5.3'],
    ['## Article 5', '5.3 You pay in full.', '5.3'],
    ['## Fees', '3. You pay in full.', '3'],
    ['## Fees', 'You pay in full.', undefined],
    ['## 5. Fees', '(b) (ii) You pay in full.', '5(b)(ii)'],
  ])('are numbered within their section: %s, %s', (heading, paragraph, clause) => {
    expect(blocksOf(heading, paragraph)[1]!.clause).toBe(clause)
  })

  it('are not labels above the first heading', () => {
    const above = (label: string) => blocksOf(label, '## Terms').length - 1
    expect(above('Some label of a page')).toBe(0)
    expect(above('A label that has more than eight words in it')).toBe(1)
    expect(above('This is so.')).toBe(1)
    expect(above('3 May 2025')).toBe(1)
    const after = Array.from({ length: 12 }, (_, i) => `We say ${i} so.`)
    expect(blocksOf('Some label of a page', ...after, '## Terms')).toHaveLength(14)
  })
})

describe('the normal form', () => {
  it.each([
    ['another label of a date', ['## Rules', 'Last updated: 3 May 2025'], ['## Rules', 'Effective as of May 3, 2025']],
    [
      'a label of a date that two kinds of English spell otherwise',
      ['## Rules', 'Revised: 3 May 2025'],
      ['## Rules', 'Last updated: May 3, 2025'],
    ],
    ['an ampersand', ['## Rules', 'Fees & taxes are due.'], ['## Rules', 'Fees and taxes are due.']],
    ['where a link opens', ['## Rules', 'See our terms (opens in a new window).'], ['## Rules', 'See our terms.']],
  ])('does not see %s', (_what, before, after) => {
    expect(formOf(...after)).toBe(formOf(...before))
  })

  it.each([
    ['the order of paragraphs', ['## Rules', 'We pay.', 'You go.'], ['## Rules', 'You go.', 'We pay.']],
    [
      'a date in a sentence',
      ['## Rules', 'We pay you since 3 May 2025.'],
      ['## Rules', 'We pay you since 4 May 2025.'],
    ],
    [
      'a label of a date in a sentence',
      ['## Rules', 'We pay a fee as of 3 May 2025.'],
      ['## Rules', 'We pay a fee from 3 May 2025.'],
    ],
    ['a date line', ['## Rules', 'Updated 3 May 2025'], ['## Rules', 'Updated 4 May 2025']],
  ])('sees %s', (_what, before, after) => {
    expect(formOf(...after)).not.toBe(formOf(...before))
  })

  it('can be taken without dates, and without the time beside one', () => {
    const without = (...parts: string[]) => normalFormWithoutDates(readText(text('## Rules', ...parts)))
    expect(without('We pay since 3 May 2025.')).toBe(without('We pay since 4 June 2026.'))
    expect(without('Updated 3 May 2025 at 8:19 PM')).toBe(without())
    expect(without('Updated 3 May 2025, with many more words than that.')).not.toBe(without())
    expect(without('We pay.')).not.toBe(without())
  })

  it('knows all words of the page beside it', () => {
    const read = readText('# T\n\nSign in\n\n1. [We](/a) pay.')
    expect(read).toMatchObject({ plain: 't\nsign in\nwe pay.', plainWords: 5, whole: ' T  Sign in 1 We pay.' })
  })
})

describe('how much a change says', () => {
  const T = '## Rules'
  it.each<[what: string, before: string[], after: string[], kind: string]>([
    ['nothing', [T, 'We pay all of it.'], [T, 'We *pay* all of it.'], 'cosmetic'],
    ['paragraphs that moved', [T, 'We pay.', 'It rains.'], [T, 'It rains.', 'We pay.'], 'cosmetic'],

    ['a date', [T, 'Updated 3 May 2025'], [T, 'Updated 4 May 2025'], 'dates'],

    ['a sentence with a date went', [T, 'On 3 May 2025 we pay all of it to you.'], [T], 'substantive'],

    ['another heading', ['We pay.', '## 1Our rights', 'a'], ['We pay.', '## Your rights', 'a'], 'substantive'],
    ['the number in a name', ['We pay.', '## 3D rights', 'a'], ['We pay.', '## D rights', 'a'], 'minor'],
    ['the number before a line', [T, '7Days of it, and not more'], [T, 'Days of it, and not more'], 'minor'],

    ['three months that passed', [T, 'Stand: Mai 2025'], [T, 'Stand: August 2025'], 'dates'],
    ['a month before', [T, 'Stand: Mai 2025'], [T, 'Stand: April 2025'], 'dates'],
    ['five words', [T, 'It is a b c d e here.'], [T, 'It is f g h i j here.'], 'minor'],
    ['six words', [T, 'It is a b c d e k here.'], [T, 'It is f g h i j l here.'], 'substantive'],
    ['five words that came', [T, 'It is here.'], [T, 'It is f g h i j here.'], 'minor'],
    ['six words that came', [T, 'It is here.'], [T, 'It is f g h i j k here.'], 'substantive'],
    ['one modal verb', [T, 'It may be so.'], [T, 'It must be so.'], 'substantive'],
    [
      'other capitals',
      [T, 'We pay all of what you or someone else asks for in Rome.'],
      [T, 'We Pay All of what you or someone else asks for in Rome.'],
      'cosmetic',
    ],
    ['a space that was missing', [T, 'Itis so for all of us.'], [T, 'It is so for all of us.'], 'cosmetic'],

    ['another letter', [T, 'Das ist schan gut.'], [T, 'Das ist schön gut.'], 'minor'],
    ['a web address that came', [T, 'You read it at then.'], [T, 'You read it at www.example.com then.'], 'cosmetic'],
    ['one of two addresses', [T, 'We are at a@example.com, b@example.com.'], [T, 'We are at a@example.com.'], 'minor'],
    ['the address of a line', [T, 'Write to law@example.com'], [T, 'Write to'], 'minor'],
    ['a name that was removed', [T, 'We share it with Example.com too.'], [T, 'We share it with too.'], 'minor'],
    ['an address and a word', [T, 'Write to us at law@example.com then.'], [T, 'Write to us at now.'], 'minor'],
    ['another address', [T, 'Write to a@example.com then.'], [T, 'Write to law@example.com then.'], 'minor'],
  ])('is seen: %s', (_what, before, after, kind) => {
    expect(classify(before, after)).toBe(kind)
  })
})
