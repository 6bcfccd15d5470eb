import { describe, expect, it } from 'vitest'
import { type Change, changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { describeChanges } from '../../../src/terms/compare/difference-rules.ts'
import { sideBySide } from '../../../src/terms/compare/side-by-side-rules.ts'
import type { Block } from '../../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, textOf } from '../normalize/blocks.ts'

const differenceOf = (before: Block[], after: Block[]) =>
  describeChanges(textOf(before), changesBetween(textOf(before), textOf(after)))
const ofChanges = (before: Block[], changes: Change[]) => describeChanges(textOf(before), changes)
const numbered = (count: number, word: string) => Array.from({ length: count }, (_, i) => `${word}${i}`)
const inSection = (section: string, text: string) => block(text, { section })

describe('the counts of a difference', () => {
  it('are the removed and added words, and of a reworded paragraph only these', () => {
    const { wordsRemoved, wordsAdded, changes } = differenceOf(
      [block('a b c'), block('d'), block('e f')],
      [block('a x y c'), block('d')],
    )
    expect({ wordsRemoved, wordsAdded }).toEqual({ wordsRemoved: 3, wordsAdded: 2 })
    expect(changes.map((one) => [one.wordsRemoved, one.wordsAdded])).toEqual([
      [1, 2],
      [2, 0],
    ])
  })
})

describe('a comparison that costs too much', () => {
  it('is shown as one change of all paragraphs, with all their words', () => {
    const [before, after] = [
      [block('a b'), block('c')],
      [block('a b'), block('d e f'), block('g')],
    ]
    expect(changesBetween(textOf(before), textOf(after), () => undefined)).toEqual([
      { before, after, at: 0, wordsRemoved: 3, wordsAdded: 6 },
    ])
  })
})

describe('the sections of a difference', () => {
  it('have what went and came under one heading, in the order of the document', () => {
    const changes = [
      change([inSection('Fees', 'a b')], []),
      change([], [inSection('Law', 'c')]),
      change([inSection('Fees', 'd')], [inSection('Fees', 'e f g')]),
    ]
    expect(ofChanges([], changes).sections).toEqual([
      { section: 'Fees', wordsRemoved: 3, wordsAdded: 3, removed: ['a b', 'd'], added: ['e f g'] },
      { section: 'Law', wordsRemoved: 0, wordsAdded: 1, removed: [], added: ['c'] },
    ])
  })

  it('are named after the heading that the later text has', () => {
    const moved = change([inSection('Old', 'a')], [inSection('New', 'b')])
    const { sections, changes } = ofChanges([], [moved])
    expect([sections[0]!.section, changes[0]!.section]).toEqual(['New', 'New'])
    expect(ofChanges([], [change([inSection('Old', 'a')], [])]).changes[0]!.section).toBe('Old')
  })

  it('have at most ten excerpts of each kind, of 400 characters', () => {
    const of = (count: number) =>
      ofChanges(
        [],
        [
          change(
            numbered(count, 'a').map((text) => block(text)),
            [],
          ),
        ],
      )
    expect([of(10).truncated, of(11).truncated]).toEqual([false, true])
    expect(of(11).sections[0]!.removed).toEqual(numbered(10, 'a'))
    const came = ofChanges(
      [],
      [
        change(
          [],
          numbered(11, 'b').map((text) => block(text)),
        ),
      ],
    )
    expect(came.sections[0]!.added).toEqual(numbered(10, 'b'))
    expect(came.truncated).toBe(true)
    const long = (length: number) => ofChanges([], [change([block('x'.repeat(length))], [])]).sections[0]!.removed[0]
    expect(long(400)).toBe('x'.repeat(400))
    expect(long(401)).toBe(`${'x'.repeat(399)}…`)
  })

  it('are at most 50, of at most 200 changes', () => {
    const of = (count: number) =>
      ofChanges(
        [],
        numbered(count, 's').map((name) => change([inSection(name, 'a')], [])),
      )
    expect([of(50).truncated, of(51).truncated, of(51).sections.length]).toEqual([false, true, 50])
    const changes = (count: number) => ofChanges([], Array(count).fill(change([block('a')], [])))
    expect(changes(200).changes).toHaveLength(200)
    expect(changes(201).changes).toHaveLength(200)
    expect(changes(201).truncated).toBe(true)
    // No section has too many of them.
    const spread = (count: number) =>
      ofChanges(
        [],
        Array.from({ length: count }, (_, n) => change([inSection(`s${n % 50}`, 'a')], [])),
      )
    expect([spread(200).truncated, spread(201).truncated]).toEqual([false, true])
    const empty = { ...change([], []), before: [block('')], wordsRemoved: 0 }
    expect(ofChanges([], Array(9).fill(empty)).truncated).toBe(false)
  })

  it('have names that end within 400 characters, and never within a character', () => {
    const { sections } = ofChanges([], [change([inSection('x'.repeat(401), 'a')], [])])
    expect(sections[0]!.section).toBe(`${'x'.repeat(399)}…`)
    const pair = `${'x'.repeat(398)}😀yy`
    expect(ofChanges([], [change([inSection(pair, 'a')], [])]).changes[0]!.section).toBe(`${'x'.repeat(398)}…`)
  })
})

describe('the excerpt of a reworded paragraph', () => {
  const around = (count: number) => [numbered(count, 'l').join(' '), numbered(count, 'r').join(' ')]
  const excerpts = (count: number, from: string, to: string) => {
    const [start, end] = around(count)
    const { removed, added } = differenceOf([block(`${start} ${from} ${end}`)], [block(`${start} ${to} ${end}`)])
      .sections[0]!
    return [removed[0], added[0]]
  }

  it('has eight words on each side of what changed', () => {
    const [start, end] = around(8)
    expect(excerpts(8, 'old', 'new text')).toEqual([`${start} old ${end}`, `${start} new text ${end}`])
    const [left, right] = [numbered(9, 'l').slice(1).join(' '), numbered(8, 'r').join(' ')]
    expect(excerpts(9, 'old', 'new')).toEqual([`… ${left} old ${right} …`, `… ${left} new ${right} …`])
  })

  it('shows what was added or repeated at an end', () => {
    const ends = (before: string, after: string) => {
      const { removed, added } = differenceOf([block(before)], [block(after)]).sections[0]!
      return [removed[0], added[0]]
    }
    expect(ends('a b', 'a b c')).toEqual(['a b', 'a b c'])
    expect(ends('a b', 'c a b')).toEqual(['a b', 'c a b'])
    expect(ends('a a', 'a a a')).toEqual(['a a', 'a a a'])
    const long = numbered(20, 'w').join(' ')
    expect(ends(long, `${long} end`)).toEqual([
      `… ${numbered(20, 'w').slice(12).join(' ')}`,
      `… ${numbered(20, 'w').slice(12).join(' ')} end`,
    ])
  })

  it('is the whole paragraphs where one became two', () => {
    const { removed, added } = differenceOf([block('a b c')], [block('a b'), block('c d')]).sections[0]!
    expect([removed, added]).toEqual([['a b c'], ['a b', 'c d']])
  })
})

describe('the unified diff', () => {
  const lines = (before: string[], after: string[]) =>
    differenceOf(
      before.map((text) => block(text)),
      after.map((text) => block(text)),
    ).diff.split('\n')

  it('shows each change with a paragraph before and after it, and where both are', () => {
    expect(lines(['a', 'b', 'c', 'd', 'e', 'f', 'g', 'h'], ['a', 'b', 'x', 'y', 'd', 'e', 'f', 'h'])).toEqual([
      '@@ -2,3 +2,4 @@',
      ' b',
      '-c',
      '+x',
      '+y',
      ' d',
      '@@ -6,3 +7,2 @@',
      ' f',
      '-g',
      ' h',
    ])
  })

  it('has nothing beside a change at the beginning or at the end', () => {
    expect(lines(['a', 'b'], ['x', 'b'])).toEqual(['@@ -1,2 +1,2 @@', '-a', '+x', ' b'])
    expect(lines(['a', 'b'], ['a', 'b', 'c'])).toEqual(['@@ -2,1 +2,2 @@', ' b', '+c'])
  })

  it('cuts a paragraph at 2,000 characters, and says so', () => {
    const diff = (length: number) => differenceOf([], [block('x'.repeat(length))])
    expect(diff(2_000)).toMatchObject({ truncated: false, diff: `@@ -1,0 +1,1 @@\n+${'x'.repeat(2_000)}` })
    expect(diff(2_001)).toMatchObject({ truncated: true, diff: `@@ -1,0 +1,1 @@\n+${'x'.repeat(1_999)}…` })
  })

  it('shows of a long reworded paragraph 40 words on each side of the change', () => {
    const text = (end: string) => `${numbered(500, 'left').join(' ')} ${end}`
    const { diff } = differenceOf([block(text('old'))], [block(text('new'))])
    const shown = numbered(500, 'left').slice(-40).join(' ')
    expect(diff).toBe(`@@ -1,1 +1,1 @@\n-… ${shown} old\n+… ${shown} new`)
    const added = differenceOf([block('a')], [block(text('new')), block('b')])
    expect(added.diff).toContain('\n+left0 left1 ')
  })

  it('has at most 20,000 characters, and whole lines', () => {
    const diff = (count: number) =>
      differenceOf(
        [],
        Array.from({ length: count }, (_, i) => block(`${i}`.padEnd(999, 'x'))),
      )
    expect(diff(19).diff.split('\n')).toHaveLength(20)
    expect(diff(25).diff.split('\n')).toHaveLength(20)
    expect(diff(25).diff.split('\n').at(-1)).toHaveLength(1_000)
    const apart = Array.from({ length: 30 }, (_, i) => [block(`${i}`.padEnd(999, 'x')), block(`same${i}`)])
    const changes = apart.flatMap(([one], i) => [{ ...change([one!], []), at: 2 * i }])
    expect(ofChanges(apart.flat(), changes).diff.length).toBeLessThanOrEqual(20_000)
  })
})

describe('two texts side by side', () => {
  /** Anchors have tests of their own. */
  const rows = (before: Block[], after: Block[]) =>
    sideBySide(textOf(before), textOf(after), changesBetween(textOf(before), textOf(after))).rows.map(
      ({ anchor: _, ...row }) => row,
    )

  it('have a row for each paragraph, with its heading and clause', () => {
    const fees = block('We pay', { section: 'Fees', clause: '2.1' })
    expect(rows([heading('Fees'), fees, block('old one')], [heading('Fees'), fees])).toEqual([
      { kind: 'same', section: 'Fees', clause: undefined, heading: true, left: '## Fees', right: '## Fees' },
      { kind: 'same', section: 'Fees', clause: '2.1', heading: false, left: 'We pay', right: 'We pay' },
      { kind: 'removed', section: '', clause: undefined, heading: false, left: 'old one', right: undefined },
    ])
    expect(rows([], [block('new one')])).toMatchObject([{ kind: 'added', right: 'new one' }])
  })

  it('mark the words of a reworded paragraph, and name it after the later text', () => {
    const [row] = rows([block('we pay fees', { section: 'Old' })], [block('we get fees now', { section: 'New' })])
    expect(row).toEqual({
      kind: 'changed',
      section: 'New',
      clause: undefined,
      heading: false,
      left: 'we pay fees',
      right: 'we get fees now',
      words: [
        { text: 'we ', kind: 'same' },
        { text: 'pay fees', kind: 'removed' },
        { text: 'get fees now', kind: 'added' },
      ],
    })
  })

  it('pair what went with what came, and show the rest alone', () => {
    const kinds = (before: string[], after: string[]) =>
      rows(
        before.map((text) => block(text)),
        after.map((text) => block(text)),
      ).map(({ kind }) => kind)
    expect(kinds(['s', 'a', 'b', 't'], ['s', 'x', 't', 'u'])).toEqual(['same', 'changed', 'removed', 'same', 'added'])
    expect(kinds(['a'], ['x', 'y'])).toEqual(['changed', 'added'])
  })

  it('are at most 5,000 rows', () => {
    const many = (count: number) => Array.from({ length: count }, (_, i) => block(`p${i}`))
    const shown = (before: Block[], changes: Change[]) => {
      const { rows: all, truncated } = sideBySide(textOf(before), textOf(before), changes)
      return [all.length, truncated]
    }
    expect(shown(many(5_000), [])).toEqual([5_000, false])
    expect(shown(many(5_001), [])).toEqual([5_000, true])
    expect(shown([], [change([], many(5_000))])).toEqual([5_000, false])
    expect(shown([], [change([], many(5_002))])).toEqual([5_000, true])
  })
})
