import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../../src/terms/compare/classify-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

const END = 'You keep all rights in what you send to us.'

function classify(before: string[], after: string[]) {
  const [a, b] = [before, after].map((parts) => readText([...parts, END].join('\n\n')))
  return classifyTexts(a!, b!, changesBetween(a!, b!))
}
const T = '## Rules'
const ROW = '| a | b |\n|---|---|\n| c | d |'
const P = 'We keep what you send to us.'
const LONG = '# Terms of service of the example company and of all of its many branches in the north and in the south'

describe('how much a change says, whichever text came first', () => {
  it.each<[what: string, before: string[], after: string[], kind: string]>([
    ['a long title further below', [P, 'We go.', 'It rains.'], [P, 'We go.', LONG, 'It rains.'], 'substantive'],
    ['two long headings below the text', [P, 'It rains.'], [P, LONG, `${LONG} and more`, 'It rains.'], 'substantive'],
    ['two long titles', [P, 'It rains.'], [LONG, `${LONG} and more`, P, 'It rains.'], 'cosmetic'],
    ['five titles', [P], ['# A', '# B', '# C', '# D', '# E', P], 'cosmetic'],
    ['six headings', [P], ['# A', '# B', '# C', '# D', '# E', '# F', P], 'substantive'],
    ['a title above the first entry', ['# Terms', '- Short', P], ['# Rules', '- Short', P], 'cosmetic'],
    ['a heading below the first entry', [T, '- Short', '# Terms', P], [T, '- Short', '# Rules', P], 'minor'],
    ['a heading below the first row', [ROW, '# Terms', P], [ROW, '# Rules', P], 'minor'],
    ['a heading below a long heading', [LONG, '# Terms', P], [LONG, '# Rules', P], 'minor'],
    ['a heading below a short heading', [T, '# Terms', P], [T, '# Rules', P], 'cosmetic'],
    ['a title above a date or below it', [T, 'Stand: Mai 2025', P], ['Stand: Mai 2025', T, P], 'cosmetic'],
    ['a long title and a word', [P, 'It rains.'], [LONG, P, 'It snows.'], 'minor'],
    ['a long line at the top', [P, 'It rains.'], [LONG.slice(2), P, 'It rains.'], 'substantive'],
    [
      'a verb that turns one of two sentences around',
      [T, 'It may be so.', 'We go on.', 'It rains.'],
      [T, 'It must be so.', 'We go on.', 'It snows.'],
      'substantive',
    ],
    [
      'six words in two sentences',
      [T, 'It is a b c here.', 'We go on.', 'So is d e f there.'],
      [T, 'It is here.', 'We go on.', 'So is there.'],
      'substantive',
    ],
    ['a month in place of two', [T, 'Stand: Mai 2025'], [T, 'Stand: Juni 2025', 'Stand: Juli 2025'], 'dates'],
    [
      'one of two months that is long after',
      [T, 'Actualizado: Junio 2022 Feb 2024'],
      [T, 'Actualizado: Julio 2022 Dec 2024'],
      'dates',
    ],
    ['another title at the top', ['# Terms', P], ['# Rules', P], 'cosmetic'],
    ['another title with a date', ['# Terms of May 3, 2025', P], ['# Terms of May 4, 2025', P], 'dates'],
    ['another heading below the text', [P, '# Terms', 'It rains.'], [P, '# Rules', 'It rains.'], 'minor'],
    ['a title at the top and a word', [P, 'It rains.'], ['# Terms', P, 'It snows.'], 'minor'],
    ['a sentence at the top', [P, 'It rains.'], ['We pay.', P, 'It rains.'], 'minor'],
    [
      'two months that passed',
      [T, 'Stand: Mai 2025', 'Stand: Juni 2025'],
      [T, 'Stand: Juni 2025', 'Stand: Juli 2025'],
      'dates',
    ],
    ['one month more', [T, 'Stand: Mai 2025'], [T, 'Stand: Mai 2025 Juni 2025'], 'dates'],
    ['a day that passed', [T, 'Stand: 3. Mai 2025'], [T, 'Stand: 4. Mai 2025'], 'dates'],
    ['a date that moved and changed', [T, 'Updated 3 May 2025', P], [T, P, 'Updated 4 May 2025'], 'dates'],

    ['a lost letter and a word', [T, 'Das ist sch?n hier.'], [T, 'Das ist schön dort.'], 'minor'],
    ['a question that is not a lost letter', [T, 'Was? Ist das so.'], [T, 'Was Ist das sö.'], 'minor'],
    [
      'three paragraphs that moved',
      [T, 'We pay.', 'It rains.', 'We go.'],
      [T, 'We go.', 'It rains.', 'We pay.'],
      'cosmetic',
    ],
    ['a paragraph that moved and changed', [T, 'We pay.', 'It rains.'], [T, 'It rains.', 'We pay twice.'], 'minor'],
    ['a short paragraph twice', [T, 'We pay.', 'It rains.'], [T, 'It rains.', 'We pay.', 'It rains.'], 'minor'],
  ])('is seen: %s', (_what, before, after, kind) => {
    expect(classify(before, after)).toBe(kind)
    expect(classify(after, before)).toBe(kind)
  })

  it('is much for a row of a table that came, and nothing for one that moved', () => {
    const table = (...rows: string[]) => ['| Name | Place |', '| - | - |', ...rows].join('\n')
    const [a, b] = ['| A | Rome |', '| B | Oslo |']
    expect(classify([T, table(a, b)], [T, table(b, a)])).toBe('cosmetic')
    expect(classify([T, table(a)], [T, table(a, b)])).toBe('substantive')
    expect(classify([T, table(a, b)], [T, table(a)])).toBe('substantive')
  })
})

describe('a file that a program reads with other spaces', () => {
  const clauses = [
    'Clause one is about the version of 13.10.2020 of it.',
    'Clause two is about the use of our site by all.',
    'Clause three is about interest of 15 % a year.',
    'Clause four is about "buyers" whom we serve well-off.',
    'Clause five is about no one else, of course.',
  ]
  const respaced = (text: string) =>
    text.replace('is about', 'isabo ut').replace('13.10.2020', '1 3 . 10 .20 20').replace('15 %', '1 5 %')
  const read = (from: string, to: string, count = clauses.length) =>
    classify(
      [T, ...clauses.slice(0, count)],
      [T, ...clauses.slice(0, count).map((text) => respaced(text).replace(from, to))],
    )

  it.each([
    ['nothing else', '', ''],
    ['quotes', '"buyers"', 'buyers'],
    ['a hyphen', 'well-off', 'well off'],
    ['a comma', ' else,', ' else'],
    ['capitals', 'Clause', 'CLAUSE'],
  ])('says the same but for %s', (_what, from, to) => {
    expect(read(from, to)).toBe('cosmetic')
  })

  it.each([
    ['a number', '1 5 %', '1 6 %'],
    ['a percent sign', '1 5 %', '1 5'],
    ['the stop of a date', '1 3 . 10', '1 3 10'],
    ['a letter', 'course', 'curse'],
    ['a currency', '1 5 %', '1 5 €'],
  ])('says something else with another %s', (_what, from, to) => {
    expect(read(from, to)).toBe('substantive')
  })

  it('has ten words that are split elsewhere: fewer may be numbers that changed', () => {
    expect([read('', '', 2), read('', '', 3)]).toEqual(['substantive', 'cosmetic'])
  })
})

describe('headings that came, each above its paragraphs', () => {
  const text = (headings: number) =>
    Array.from({ length: 6 }, (_, i) => [
      i < headings ? [`## How long we keep part ${'abcdef'[i]} of your data`] : [],
      `We keep thing ${'abcdef'[i]}.`,
    ]).flat(2)

  it('are a change where one turns a clause around, follows another, or is beside another change', () => {
    expect(classify(text(0), text(5).with(0, '## You may not do'))).not.toBe('cosmetic')
    expect(classify(text(0), ['## What our weapons and bombs are good for', ...text(5)])).not.toBe('cosmetic')
    expect(classify(text(0), text(5).with(-1, 'We sell thing f.'))).not.toBe('cosmetic')
    const [one, other] = [text(5), text(5)]
    expect(classify([...one.slice(0, 4), ...text(0).slice(2)], [...text(0).slice(0, 2), ...other.slice(4)])).not.toBe(
      'cosmetic',
    )
  })
})
