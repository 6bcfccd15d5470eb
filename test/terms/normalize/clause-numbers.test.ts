import { describe, expect, it } from 'vitest'
import { blocksOf } from '../compare/read.ts'

/** The clause of each paragraph of a text, in order. */
const clauses = (markdown: string) => blocksOf(markdown).map(({ clause }) => clause)
/** The section of each paragraph of a text, in order. */
const sections = (markdown: string) => blocksOf(markdown).map(({ section }) => section)
const lines = (...all: string[]) => all.join('\n\n')

describe('the clause of a paragraph', () => {
  it.each<[what: string, text: string, expected: (string | undefined)[]]>([
    ['nothing where nothing is numbered', lines('## Fees', 'You pay us.'), [undefined, undefined]],
    ['that of its heading', lines('## 3. Fees', 'You pay us.'), ['3', '3']],
    [
      'that of a heading with a name',
      lines('## Section 5: Fees', 'You pay us.', '## Article 6', 'We pay.'),
      ['5', '5', '6', '6'],
    ],
    ['its own below a heading', lines('## 3. Fees', '3.1 You pay us.', '3.2. We pay you.'), ['3', '3.1', '3.2']],
    ['its own where it is the only label', lines('## 3. Fees', '(a) You pay.', '(b) We pay.'), ['3', '3(a)', '3(b)']],
    [
      'letters and digits',
      lines(
        '## A. Scope',
        'A.1. It applies.',
        '## C. Notices',
        'C.1. Send them:',
        'C.1.a. by mail.',
        'C.1.a.ii. by post.',
        'C.2. We answer.',
      ),
      ['A', 'A.1', 'C', 'C.1', 'C.1.a', 'C.1.a.ii', 'C.2'],
    ],
    [
      'that of the list it is in',
      lines(
        '## 1. Use',
        '- 1.1. You may use it.',
        '- 1.2. You may not:\n    - a. sell it.\n    - b. rent it.',
        '- 1.3. We may.',
      ),
      ['1', '1.1', '1.2', '1.2(a)', '1.2(b)', '1.3'],
    ],
    [
      'that of nested lists with numbers',
      lines('## 2. Use', '1. You may:\n    1. read it.\n    2. print it.\n2. You may not sell it.'),
      ['2', '2.1', '2.1.1', '2.1.2', '2.2'],
    ],
    [
      'the one around parts that are over',
      lines(
        '## 2. Use',
        '2.2. You will not:',
        '(a) sell it; or',
        '(b) rent it.',
        'You will also make others not do it.',
        '2.3. We may.',
      ),
      ['2', '2.2', '2.2(a)', '2.2(b)', '2.2', '2.3'],
    ],
    [
      'Roman numbers below letters, and the letter i after h',
      lines('## 1. Use', '(a) You may:', '(i) read it;', '(ii) print it;', '(b) We may.'),
      ['1', '1(a)', '1(a)(i)', '1(a)(ii)', '1(b)'],
    ],
    [
      'the letter i after h',
      lines('## 1. Use', '(h) You read.', '(i) You print.', '(j) You go.'),
      ['1', '1(h)', '1(i)', '1(j)'],
    ],
    [
      'letters in brackets behind a number, and those that go on after them',
      lines(
        '## 3. Use',
        '3.2 You may not:',
        '3.2(b) You may not sell it.',
        '3.2(c) rent it;',
        '(d) lend it.',
        '3.3(a)(ii) It ends.',
      ),
      ['3', '3.2', '3.2(b)', '3.2(c)', '3.2(d)', '3.3(a)(ii)'],
    ],
    ['that of bullets below it', lines('3.1 You may not:', '- sell it.\n- rent it.'), ['3.1', '3.1', '3.1']],
    [
      'numbers that begin again below titles in the text',
      lines(
        '1.  USE OF THE SERVICE',
        '1.  You may use it.',
        '2.  You may share it.',
        '2.  FEES TO PAY',
        '1.  You pay us.',
        '(a) in euros;',
        '(b) in time.',
        '2.  We bill you.',
      ),
      ['1', '1.1', '1.2', '2', '2.1', '2.1(a)', '2.1(b)', '2.2'],
    ],
    [
      'an attachment and its parts',
      lines(
        '## 9. Law',
        'It is ours.',
        '**Schedule 2 - Security**',
        'We protect data.',
        '## A. Policies',
        'A.1. We have some.',
        '## Annex III',
        '1. Hosts',
      ),
      ['9', '9', 'Schedule 2', 'Schedule 2', 'Schedule 2, A', 'Schedule 2, A.1', 'Annex III', 'Annex III, 1'],
    ],
    [
      'headings in headings',
      lines(
        '## 3. Data',
        '### Retention',
        'We keep it.',
        '### 3.2 Deletion',
        'We delete it.',
        '## Other',
        'That is all.',
      ),
      ['3', '3', '3', '3.2', '3.2', undefined, undefined],
    ],
    [
      'headings of one level, letters above digits',
      lines('## A. One', '## 1. Two', 'Text', '## 2. Three', '## B. Four', '## 1. Five'),
      ['A', 'A.1', 'A.1', 'A.2', 'B', 'B.1'],
    ],
    [
      'numbers that begin again below headings without one',
      lines(
        '## Use',
        '1. You do.',
        '2. We do.',
        '## Law',
        'It is ours.',
        '1. Of Ireland.',
        '(a) In court.',
        '2. And us.',
        '## End',
        '3. It ends.',
      ),
      [undefined, '1', '2', undefined, undefined, 'Law, 1', 'Law, 1(a)', 'Law, 2', undefined, '3'],
    ],
    [
      'that of articles, in digits or Roman numbers, with numbers of their own',
      lines(
        '## Article I',
        '1. You do.',
        '2. We do.',
        '## Article II - Law',
        '1. Of Ireland.',
        '**Article III**',
        '1. It ends.',
      ),
      ['I', 'I.1', 'I.2', 'II', 'II.1', 'III', 'III.1'],
    ],
    [
      'letters that begin again',
      lines('## I. One', 'A. You do.', 'B. We do.', '## II. Two', 'A. You do.'),
      ['I', 'I.A', 'I.B', 'II', 'II.A'],
    ],
  ])('is %s', (_, text, expected) => {
    expect(clauses(`# Terms\n\nThey apply to all.\n\n${text}`).slice(2)).toEqual(expected)
  })

  it('goes on after a number that is left out', () => {
    expect(clauses(lines('## 4. Data', '4.1 Ours.', '4.4 Yours.', '(c) And his.'))).toEqual([
      '4',
      '4.1',
      '4.4',
      '4.4(c)',
    ])
  })
})

describe('the section of a paragraph', () => {
  it('is the nearest heading, of whatever level', () => {
    expect(sections(lines('# Terms', '## Data', '### Retention', 'We keep it.'))).toEqual([
      'Terms',
      'Data',
      'Retention',
      'Retention',
    ])
  })

  it('is a title that no heading marks: bold, in capitals, or with a number of its own', () => {
    const text = (title: string) =>
      sections(lines('# Terms', 'They apply to all of it.', title, 'You pay us every month.'))
    expect(text('**Your fees**')).toEqual(['Terms', 'Terms', 'Your fees', 'Your fees'])
    expect(text('LIMITATION OF LIABILITY')).toEqual([
      'Terms',
      'Terms',
      'LIMITATION OF LIABILITY',
      'LIMITATION OF LIABILITY',
    ])
    expect(text('4. Your fees')).toEqual(['Terms', 'Terms', 'Your fees', 'Your fees'])
    for (const plain of [
      'Your fees',
      '**You pay us.**',
      '**Effective: January 1, 2026**',
      '(a) Your fees',
      '**[Fees](/fees)**',
      'FEES',
    ])
      expect(text(plain).at(-1)).toBe('Terms')
  })

  it('is not an entry of a list of numbered labels', () => {
    expect(
      sections(lines('# Data', 'We collect this of you:', '1. Name\n2. Address\n3. Age', 'We keep all.')).at(-1),
    ).toBe('Data')
  })

  it('of rows before the first heading is the line above them', () => {
    const table = '|  |  |\n| --- | --- |\n| Alpha | Hosting |\n| Beta | Mail |'
    expect(sections(lines('All subprocessors', table))).toEqual(['', 'All subprocessors', 'All subprocessors'])
    expect(sections(lines('# Terms', 'All subprocessors', table)).at(-1)).toBe('Terms')
  })
})
