import { describe, expect, it } from 'vitest'
import {
  withoutPageChrome,
  withoutRepeatedLabels,
  withoutTitle,
} from '../../src/terms/compare/page-chrome-changes-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, item, row } from './blocks.ts'
import { classify } from './read.ts'

const USES = ['You may not:', '- Gamble with it;', '- Lend it to others;', '- Sell it;', '- Copy it.']
/** The list with a label before each of the first entries. */
const labelled = (label: string, count: number) =>
  USES.flatMap((line, i) => (i > 0 && i <= count ? [`- ${label}`, line] : [line])).join('\n')
const text = (list: string) => `# Rules\n\nWe keep what you send to us.\n\n${list}\n\nYou keep your rights in it.\n`

describe('a label in several places at once', () => {
  it('is the page’s from three places on', () => {
    const plain = text(USES.join('\n'))
    const came = (count: number) => [
      classify(plain, text(labelled('Badge Check', count))),
      classify(text(labelled('Badge Check', count)), plain),
    ]
    expect(came(3)).toEqual(['cosmetic', 'cosmetic'])
    expect(came(2)).toEqual(['minor', 'minor'])
  })

  it.each([
    ['five words', 'Badge of the check mark'],
    ['a negation', 'Not for sale'],
    ['a sentence', 'It is sold.'],
    ['a number', 'Within 3 days'],
  ])('says something with %s', (_what, label) => {
    const changes = [change([], Array<Block>(3).fill(item(label)), 2)]
    expect(withoutRepeatedLabels(changes)).toEqual(changes)
  })

  it('says something in rows of a table', () => {
    const changes = [change([row('Sold'), row('Sold'), row('Sold')], [])]
    expect(withoutRepeatedLabels(changes)).toEqual(changes)
  })

  it('is left out beside what changed with it, with its words', () => {
    const label = block('Find out more')
    const [first, second] = withoutRepeatedLabels([
      change([label, block('We keep it for a year')], [block('We keep it for a day')]),
      change([label, label], []),
    ])
    expect(first).toMatchObject({ before: [{ text: 'We keep it for a year' }], wordsRemoved: 6, wordsAdded: 6 })
    expect(second).toMatchObject({ before: [], after: [], wordsRemoved: 0, wordsAdded: 0 })
  })

  it('counts on each side of the changes', () => {
    const label = block('Find out more')
    const moved = [change([label, label], []), change([], [label])]
    expect(withoutRepeatedLabels(moved)).toEqual(moved)
    const came = [change([], [label, label, label])]
    expect(withoutRepeatedLabels(came)[0]).toMatchObject({ after: [], wordsAdded: 0 })
  })
})

describe('the title of a document', () => {
  const rest = block('Last updated: 3 May 2025')

  it('says nothing when it comes or goes above a date', () => {
    const [went, came] = [change([heading('Our terms'), rest], []), change([rest], [heading('Our terms'), rest])]
    expect(withoutTitle([went])[0]).toMatchObject({ before: [rest], wordsRemoved: 5 })
    expect(withoutTitle([came])[0]).toMatchObject({ after: [rest], wordsAdded: 5 })
    const other = change([], [block('It is sold.')], 5)
    expect(withoutTitle([went, other])[1]).toBe(other)
    const date = ['Effective Date: 11-04-2023', 'Effective date: 2023-11-04'] as const
    const [before, after] = [`# Our terms\n\n${date[0]}`, date[1]]
    const said = 'We keep what you send to us for as long as we have to keep it, and you agree to that.'
    expect(classify(`${before}\n\n${said}`, `${after}\n\n${said}`)).toBe('cosmetic')
  })

  it.each<[string, Block[], Block[], number]>([
    ['in place of another', [heading('Our terms')], [heading('Our policy')], 0],
    ['further down', [heading('Our terms')], [], 1],
    ['when it is no heading', [block('Our terms')], [], 0],
    ['by itself, with others further down', [heading('Our terms')], [], 0],
    ['above its line', [heading('Gambling'), block('Betting of any kind')], [], 0],
  ])('says something %s', (_what, before, after, at) => {
    const changes = [change(before, after, at)]
    expect(withoutTitle(changes)).toEqual(changes)
  })

  it('is not there without a change', () => {
    expect(withoutTitle([])).toEqual([])
  })
})

describe('a menu above the title', () => {
  const title = heading('Our terms')
  const menu = (count: number, ...more: Block[]) => [
    ...Array.from({ length: count }, (_, i) => block(`Surveys for ${'abcdefghijklmnopqrst'[i]} teams`)),
    ...more,
  ]
  const isLeftOut = (lines: Block[], at = 0, next: Block = title) => {
    const [came, went] = [change([], lines, at), change(lines, [], at)]
    const out = withoutPageChrome([came], [next]).length === 0
    expect(withoutPageChrome([went], [...lines, next]).length === 0).toBe(out)
    return out
  }

  it('is left out from five lines on', () => {
    expect([isLeftOut(menu(5)), isLeftOut(menu(4))]).toEqual([true, false])
    expect(
      isLeftOut(menu(5, block('Create and send surveys with the leading software of the whole wide world today'))),
    ).toBe(true)
  })

  it('may have one sentence in ten lines', () => {
    const fact = block('Most people read them.')
    expect([isLeftOut(menu(9, fact)), isLeftOut(menu(8, fact))]).toEqual([true, false])
    expect(isLeftOut(menu(9, block('You must not send them.')))).toBe(false)
    expect(isLeftOut(menu(9, row('Surveys')))).toBe(true)
  })

  it('is above the title and nowhere else, with nothing in its place', () => {
    expect(isLeftOut(menu(5), 0, block('We keep it.'))).toBe(false)
    expect(withoutPageChrome([change([], menu(5), 1)], [block('We keep it.'), title])).toHaveLength(1)
    expect(withoutPageChrome([change(menu(5), [block('We keep it.')])], [...menu(5), title])).toHaveLength(1)
    expect(withoutPageChrome([change([], menu(5))], [])).toHaveLength(1)
  })
})
