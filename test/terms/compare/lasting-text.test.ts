import { describe, expect, it } from 'vitest'
import { lastingText } from '../../../src/terms/compare/doubts/lasting-text-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

const TITLE = '# Terms'
const A = 'You pay all fees in advance every month.'
const B = 'We answer within thirty days of your letter.'
const C = 'Both parties may end this agreement at any time.'
const text = (...parts: string[]) => readText([TITLE, ...parts].join('\n\n'))
/** What of a change lasts, paragraph by paragraph; nothing when nothing does. */
const lasting = (inForce: string[], pending: string[], fetched: string[]) =>
  lastingText(text(...inForce), text(...pending), text(...fetched))
    ?.blocks.slice(1)
    .map((block) => block.text)

describe('what of a change lasts', () => {
  it.each<[what: string, inForce: string[], pending: string[], fetched: string[], lasts: string[] | undefined]>([
    ['nothing that took turns', [A, 'Ad one.', B], [A, 'Ad two.', B], [A, 'Ad three.', B], undefined],
    ['nothing that is gone again', [A, B], [A, 'New rule.', B], [A, B, 'An ad.'], undefined],
    ['nothing that came in another place', [A, B, C], ['New rule.', A, B, C], [A, B, C, 'New rule.'], undefined],
    ['a new clause', [A, B], [A, 'New rule.', B, 'Ad one.'], [A, 'New rule.', B, 'Ad two.'], [A, 'New rule.', B]],
    ['a clause that is gone', [A, B, C], [A, C, 'Ad one.'], [A, C, 'Ad two.'], [A, C]],
    ['what is gone of both', [A, B, C], [C], [A, C], [A, C]],
    [
      'another wording',
      [A, B],
      [A, 'We answer soon.', 'Ad one.'],
      [A, 'We answer soon.', 'Ad two.'],
      [A, 'We answer soon.'],
    ],
    ['no removal where something else came', [A, B], [A], [A, 'An ad.'], undefined],
    ['no removal where an advertisement was', [A, B], [A, 'Ad one.'], [A], undefined],
    ['a clause at the beginning', [A], ['New rule.', A], ['New rule.', A, 'An ad.'], ['New rule.', A]],
    [
      'a sentence beside one that takes turns',
      [`${A} ${B}`],
      [`${A} New rule. Ad one. ${B}`],
      [`${A} New rule. Ad two. ${B}`],
      [`${A} New rule. ${B}`],
    ],
    [
      'a sentence at the end of a paragraph',
      [A, C],
      [`${A} New rule. Ad one.`, C],
      [`${A} New rule. Ad two.`, C],
      [`${A} New rule.`, C],
    ],
    [
      'a sentence in place of one',
      [`${A} ${B}`, C],
      [`${A} We answer soon.`, C, 'Ad one.'],
      [`${A} We answer soon.`, C, 'Ad two.'],
      [`${A} We answer soon.`, C],
    ],
  ])('%s', (_what, inForce, pending, fetched, lasts) => {
    expect(lasting(inForce, pending, fetched)).toEqual(lasts)
  })

  it('is a sentence with a counter that no sentence was before', () => {
    const counter = (n: string) => [A, `We sell your data to ${n} partners.`]
    expect(lasting([A], counter('17'), counter('18'))).toEqual(counter('17'))
    expect(lasting(counter('16'), counter('17'), counter('18'))).toBeUndefined()
    expect(lasting([A, 'We never sell your data to partners.'], counter('17'), counter('18'))).toEqual(counter('17'))
    expect(lasting([A], [A, 'So 17 did.'], [A, 'So 18 did.'])).toBeUndefined()
    expect(
      lasting([A], [A, 'We sell your data to 17 partners.'], [A, 'We sell your data to 18 partners now.']),
    ).toBeUndefined()
    expect(
      lasting([A], [A, 'We sell your data to 17 partners.'], [A, 'We sell your data to all partners.']),
    ).toBeUndefined()
  })

  it('is a word beside a counter', () => {
    const counter = (n: string, days: string) => [A, `As ${n} customers know, you have ${days} days.`]
    expect(lasting(counter('1', '30'), counter('2', '14'), counter('3', '14'))).toEqual(counter('2', '14'))
  })

  it('knows the same day in another writing, and where a list of links leads', () => {
    expect(lasting([A], [A, 'Fees rise on 3 May 2025.'], [A, 'Fees rise on 2025-05-03.', 'An ad.'])).toEqual([
      A,
      'Fees rise on 3 May 2025.',
    ])
    const listed = (to: string, ad: string) => ['We use these sub-processors:', `- [Acme](https://${to}.example)`, ad]
    const partly = lasting(listed('a', B), listed('b', 'Ad one.'), listed('c', 'Ad two.'))
    expect(partly).toBeUndefined()
  })

  it('keeps the rules that are left out', () => {
    const without = new Set(['dates'])
    const [a, b, c] = [[A], [A, B], [A, B, C]].map((parts) => readText(parts.join('\n\n'), without))
    expect(lastingText(a!, b!, c!)).toMatchObject({ without })
  })
})
