import { describe, expect, it } from 'vitest'
import {
  onlyLabelsBelow,
  onlyMoreLabelsBelow,
  onlyQuestions,
  onlyStrayLabels,
} from '../../src/terms/compare/stray-labels-rules.ts'
import type { Block } from '../../src/terms/normalize/normal-form-rules.ts'
import { block, change, heading, item, row, words } from './blocks.ts'

const PROSE = block('These terms apply from today.')
const LONG = words(10)
const label = (count: number) => words(count, 'label')

/** Whether labels between these neighbours are no change, when they come and when they go. */
function areStray(labels: Block[], previous: Block | undefined, next: Block | undefined): boolean {
  const [before, after] = [previous ? [previous] : [], next ? [next] : []]
  const came = onlyStrayLabels(change([], labels, before.length), [...before, ...after])
  const went = onlyStrayLabels(change(labels, [], before.length), [...before, ...labels, ...after])
  expect(went).toBe(came)
  return came
}

describe('labels that stand alone between paragraphs', () => {
  it('are no change: each has up to 6 words, and all have up to 15', () => {
    expect(areStray([label(6)], PROSE, PROSE)).toBe(true)
    expect(areStray([label(7)], PROSE, PROSE)).toBe(false)
    expect(areStray([label(6), label(4), label(5)], PROSE, PROSE)).toBe(true)
    expect(areStray([label(6), label(5), label(5)], PROSE, PROSE)).toBe(false)
  })

  it('are between paragraphs, headings and dates', () => {
    const next = [heading('Fees'), LONG, block('Published on 3 March 2025')]
    expect(next.map((one) => areStray([label(2)], PROSE, one))).toEqual([true, true, true])
    expect(next.map((one) => areStray([label(2)], one, PROSE))).toEqual([true, true, true])
  })

  it('may be entries of a list beside another label, an entry or a row', () => {
    const beside = [words(9), item('We keep your data.'), row('We keep your data.')]
    expect(beside.map((one) => areStray([label(1)], PROSE, one))).toEqual([false, false, false])
    expect(beside.map((one) => areStray([label(1)], one, PROSE))).toEqual([false, false, false])
  })

  it('may be entries of a list that the line before introduces', () => {
    expect(areStray([label(2)], block('You may use the following.'), PROSE)).toBe(false)
    expect(areStray([label(2)], block('Nutzen Sie die folgenden.'), PROSE)).toBe(false)
  })

  it('are part of the document when they name an annex or a list', () => {
    expect(areStray([block('Annex')], PROSE, PROSE)).toBe(false)
    expect(areStray([block('Our affiliates')], PROSE, PROSE)).toBe(false)
  })

  it.each([
    ['a sentence', block('We keep it.')],
    ['a question', block('Who are we?')],
    ['a sentence in brackets', block('(We keep it.)')],
    ['a number', block('Form 1099')],
    ['an address', block('legal@example')],
    ['a company', block('Example GmbH')],
    ['a negation', block('No refunds')],
    ['a negation in Spanish', block('Sin reembolsos')],
    ['a negation in French', block('Sans garantie')],
    ['a negation in German', block('Ohne Gewähr')],
    ['a negation in Italian', block('Nessuna garanzia')],
    ['a negation in Dutch', block('Geen restitutie')],
    ['a state of things', block('All sales are final')],
    ['an exclusion', block('Gewährleistung ausgeschlossen')],
    ['an exclusion in French', block('Garanties exclues')],
    ['a prohibition', block('Resale prohibited')],
    ['a clause about the parties', block('Your inputs train our models')],
    ['a clause that begins otherwise', block('Outputs belong to us')],
    ['in Chinese', block('概不退款')],
    ['in Japanese', block('返品できます')],
    ['in Korean', block('환불 가능')],
    ['a state of the document', block('Archived')],
    ['a row of a table', row('Alpha')],
    ['a modal verb', block('You may go')],
  ])('are part of the document when one is %s', (_what, one) => {
    expect(areStray([one], PROSE, PROSE)).toBe(false)
    expect(areStray([one], undefined, PROSE)).toBe(false)
    expect(areStray([one], PROSE, undefined)).toBe(false)
  })

  it('may invite the reader, or name one of the parties', () => {
    for (const text of ['Join us today', 'About our company', 'Advertise with us', 'Talk to us', 'Customers'])
      expect(areStray([block(text)], PROSE, PROSE)).toBe(true)
    expect(areStray([heading('Join us today')], PROSE, PROSE)).toBe(true)
  })

  it('may be the answer of a question', () => {
    expect(areStray([label(2)], block('Who are we?'), PROSE)).toBe(false)
    expect(areStray([label(2)], heading('Who are we?'), PROSE)).toBe(true)
  })

  it('are part of the document when they are all that a heading has', () => {
    const only = (above: Block[], below: Block[]) => {
      const blocks = [...above, ...below]
      const came = onlyStrayLabels(change([], [label(2)], above.length), blocks)
      expect(onlyStrayLabels(change([label(2)], [], above.length), [...above, label(2), ...below])).toBe(came)
      return came
    }
    expect(only([PROSE, heading('Fees')], [heading('Law')])).toBe(false)
    expect(only([PROSE, heading('Fees')], [])).toBe(false)
    expect(only([PROSE, heading('Fees')], [PROSE])).toBe(true)
    // Below the title of the document there are buttons.
    expect(only([heading('Terms')], [heading('Fees')])).toBe(true)
  })

  it('are a change when one took the place of another', () => {
    expect(onlyStrayLabels(change([label(1)], [label(2)], 1), [PROSE, label(1), PROSE])).toBe(false)
    expect(onlyStrayLabels(change([], [], 1), [PROSE, PROSE])).toBe(false)
  })
})

describe('labels above and below a document', () => {
  it('are no change: each has up to 8 words, and all have up to 40', () => {
    for (const [previous, next] of [
      [undefined, PROSE],
      [PROSE, undefined],
    ] as const) {
      expect(areStray([label(8)], previous, next)).toBe(true)
      expect(areStray([label(9)], previous, next)).toBe(false)
      expect(areStray(Array(5).fill(label(8)), previous, next)).toBe(true)
      expect(areStray([...Array(5).fill(label(8)), label(1)], previous, next)).toBe(false)
    }
  })

  it('may be entries of the list that begins or ends the document', () => {
    expect(areStray([label(1)], undefined, item('Alpha'))).toBe(false)
    expect(areStray([label(1)], undefined, row('Alpha'))).toBe(false)
    expect(areStray([label(1)], undefined, label(1))).toBe(true)
    expect(areStray([label(1)], label(1), undefined)).toBe(false)
    expect(areStray([label(1)], undefined, undefined)).toBe(true)
  })
})

describe('headings that nothing follows', () => {
  const teasers = [heading('Get started for free'), heading('Talk to us about more')]

  it('are no change at the end of a page, also below a list', () => {
    expect(areStray(teasers, item('To send unwanted mail'), undefined)).toBe(true)
    expect(areStray([label(7), teasers[0]!], item('To send unwanted mail'), undefined)).toBe(false)
    expect(areStray(teasers, item('To send unwanted mail'), item('To harm others'))).toBe(false)
  })

  it('may be entries of a list of headings below another heading', () => {
    const cards = [item('To send unwanted mail'), heading('Adyen')]
    expect(onlyStrayLabels(change([], [heading('Stripe')], 2), cards)).toBe(false)
    expect(onlyStrayLabels(change([heading('Stripe')], [], 2), [...cards, heading('Stripe')])).toBe(false)
  })

  it('are a change with more than 40 words, or when one says more', () => {
    expect(areStray(Array(10).fill(heading('One two three four')), item('Mail'), undefined)).toBe(true)
    expect(areStray(Array(11).fill(heading('One two three four')), item('Mail'), undefined)).toBe(false)
    expect(areStray([heading('Archived')], item('Mail'), undefined)).toBe(false)
  })
})

describe('where a page is on its site', () => {
  const trail = (text: string) => areStray([block(text)], undefined, item('Alpha'))

  it('is no change above the document', () => {
    expect(trail('Help › Selling › Tips')).toBe(true)
    expect(trail('Tips for selling well └ Guidelines for all the data < Selling')).toBe(true)
    expect(trail('Help / Selling / Tips')).toBe(true)
  })

  it('has two steps at least, no number and up to 20 words', () => {
    expect(trail('Help › Selling')).toBe(false)
    expect(trail('Fees › 5 percent › Tips')).toBe(false)
    expect(trail(`Help › ${'word '.repeat(18)}› Tips`)).toBe(true)
    expect(trail(`Help › ${'word '.repeat(19)}› Tips`)).toBe(false)
  })

  it('is elsewhere what a document says, and so is a heading', () => {
    expect(areStray([block('Help › Selling › Tips')], item('Alpha'), item('Beta'))).toBe(false)
    expect(areStray([heading('Help › Selling › Tips')], undefined, item('Alpha'))).toBe(false)
    expect(areStray([block('Help › Selling › Tips'), block('More')], undefined, item('Alpha'))).toBe(false)
  })
})

describe('a label and the line that praises what it leads to', () => {
  const title = label(6)
  const tagline = words(14, 'praise')

  it('are no change between paragraphs, once or several times', () => {
    expect(areStray([title, tagline], PROSE, PROSE)).toBe(true)
    expect(areStray([title, tagline, title, tagline], PROSE, PROSE)).toBe(true)
    expect(areStray([title, tagline], label(1), PROSE)).toBe(true)
    expect(areStray([title, tagline], row('Alpha'), PROSE)).toBe(false)
    expect(areStray([title, tagline], PROSE, label(1))).toBe(false)
  })

  it.each([
    ['a line that is longer', [title, words(15, 'praise')]],
    ['a title that is longer', [label(7), tagline]],
    ['a line without a title', [title, tagline, title, tagline, tagline]],
    ['a line of a list', [title, item('all that you like and much more than this')]],
    ['an entry as its title', [item('Alpha'), tagline]],
    ['a heading as its line', [title, heading('all that people like and much more than this')]],
    ['a line that says who has a duty', [title, block('get all that your customers like and more than this')]],
    ['a line that is a row', [title, row('all that people like and much more than this')]],
  ])('are part of the document with %s', (_what, blocks) => {
    expect(areStray(blocks, PROSE, PROSE)).toBe(false)
  })
})

describe('a heading and a short line below it', () => {
  const pair = (name: string) => [heading(name), block(`Building or selling ${name.toLowerCase()}`)]
  const came = (above: Block[], labels: Block[], below: Block[]) => {
    const is = onlyStrayLabels(change([], labels, above.length), [...above, ...below])
    expect(onlyStrayLabels(change(labels, [], above.length), [...above, ...labels, ...below])).toBe(is)
    return is
  }

  it('are a part of the document beside others of their shape', () => {
    expect(came([PROSE, ...pair('Weapons')], pair('Games'), [PROSE])).toBe(false)
    expect(came([PROSE], pair('Games'), [...pair('Weapons'), PROSE])).toBe(false)
    expect(came([], pair('Games'), [...pair('Weapons'), PROSE])).toBe(false)
    expect(came([PROSE], [label(2), ...pair('Games')], [...pair('Weapons'), PROSE])).toBe(false)
    const plain = (name: string) => [block(name), block(`Building or selling ${name}`)]
    expect(came([PROSE, ...plain('weapons')], plain('games'), [PROSE])).toBe(false)
  })

  it('are a part of the document at its end', () => {
    expect(came([PROSE], pair('Games'), [])).toBe(false)
    expect(came([PROSE], [label(2), label(2)], [])).toBe(true)
    expect(came([PROSE], [label(2), heading('Games')], [])).toBe(true)
  })

  it('are a teaser beside sentences, rows, entries, dates and labels', () => {
    expect(came([PROSE], pair('Games'), [PROSE])).toBe(true)
    const besides = [
      [heading('Weapons'), PROSE],
      [heading('Weapons'), words(15)],
      [heading('Weapons'), block('Effective 3 March 2025')],
      [heading('Weapons'), heading('Malware')],
      [heading('Weapons'), item('Building or selling weapons')],
      [heading('Weapons')],
    ]
    expect(besides.map((beside) => came([PROSE], pair('Games'), beside))).toEqual(besides.map(() => true))
    expect(came([heading('Terms'), block('Effective 3 March 2025')], pair('Games'), [PROSE])).toBe(true)
    // A title and a line of the document have another shape than two labels.
    expect(came([], [label(2), label(3)], pair('Terms'))).toBe(true)
  })
})

describe('labels below a document that took the place of others', () => {
  /** Whether the last blocks of a document are no change when others take their place. */
  const below = (before: Block[], after: Block[], previous: Block[] = [PROSE], rest: Block[] = []) =>
    onlyLabelsBelow(change(before, after, previous.length), [...previous, ...before, ...rest])
  const [one, other] = [block('Similar topics'), block('More about it')]

  it('are no change', () => {
    expect(below([one], [other])).toBe(true)
    expect(below([one], [other, block('Send news')], [heading('Law'), LONG, heading('More')])).toBe(true)
    expect(below([heading('Topics')], [heading('About It')])).toBe(true)
    expect(below([one], [other], [PROSE], [block('Send news')])).toBe(true)
  })

  it('are a change when they only came or went', () => {
    expect([below([], [other]), below([one], [])]).toEqual([false, false])
  })

  it('may be names where each word has a capital', () => {
    expect(below([block('Ada Lovelace')], [other])).toBe(false)
    expect(below([one], [block('Grace Hopper')])).toBe(false)
  })

  it('have up to 8 words each, and all that came up to 40', () => {
    const short = (count: number) =>
      block(
        `Label ${Array(count - 1)
          .fill('more')
          .join(' ')}`,
      )
    expect([below([one], [short(8)]), below([one], [short(9)])]).toEqual([true, false])
    expect([below([short(8)], [other]), below([short(9)], [other])]).toEqual([true, false])
    const five = Array(5).fill(short(8))
    expect([below([one], five), below([one], [...five, short(2)])]).toEqual([true, false])
  })

  it.each([
    ['a sentence follows', [PROSE], [block('We keep it.')]],
    ['an entry of a list follows', [PROSE], [item('more about it')]],
    ['the name of a list follows', [PROSE], [block('our affiliates')]],
    ['the paragraph before introduces a list', [block('You may use the following.')], []],
    ['the paragraph before names a list', [block('We work with third parties.')], []],
    ['there is no paragraph before', [heading('Law')], []],
    ['there is nothing before', [], []],
    ['only a label is before', [label(2)], []],
  ])('are part of the document when %s', (_what, previous, rest) => {
    expect(below([one], [other], previous, rest)).toBe(false)
  })

  it('are part of the document when they are entries of a list or name one', () => {
    expect(below([one], [item('More about it')])).toBe(false)
    expect(below([item('Similar topics')], [other])).toBe(false)
    expect(below([one], [block('Our affiliates here')])).toBe(false)
  })
})

describe('questions without their answers', () => {
  const question = (count: number) => block(`${Array(count).fill('what').join(' ')}?`)
  const only = (after: Block[], before: Block[] = []) => onlyQuestions(change(before, after))

  it('are no change, with up to 14 words each', () => {
    expect([only([question(14)]), only([question(15)])]).toEqual([true, false])
    expect(only([question(3), question(4)], [question(5)])).toBe(true)
    expect(only([], [question(5)])).toBe(true)
    expect(only([block('何ですか？')])).toBe(true)
  })

  it('may have labels above them, as many as there are questions', () => {
    expect(only([label(6), question(2)])).toBe(true)
    expect(only([label(2), label(2), question(2), question(2)])).toBe(true)
    expect(only([label(2), label(2), question(2)])).toBe(false)
    expect(only([label(7), question(2)])).toBe(false)
    expect(only([item('Alpha'), question(2)])).toBe(false)
    expect(only([question(2), item('Alpha')])).toBe(false)
  })

  it('are a change with what may be an answer below them', () => {
    expect(only([question(2), label(6)])).toBe(false)
    expect(only([label(2), question(2), question(2), label(2)])).toBe(false)
    expect(only([block('Your inputs train our models'), question(2)])).toBe(false)
  })

  it('are a change with an answer between them, or with a sentence', () => {
    expect(only([question(2), label(1), question(2)])).toBe(false)
    expect(only([question(2), question(2), block('We keep it.')])).toBe(false)
    expect(only([label(1)])).toBe(false)
    expect(only([question(2)], [label(1)])).toBe(false)
  })

  it('are a change as rows of a table', () => {
    expect(only([row('Who are we?')])).toBe(false)
  })
})

describe('labels that came or went among the labels that end a page', () => {
  const LAST = block('We keep it.')
  const [one, other] = [block('Get our media kit'), block('Advertise with us')]
  /** Whether these labels are no change below these paragraphs and above those. */
  function areMore(labels: Block[], above: Block[] = [LAST, one], below: Block[] = []): boolean {
    const came = onlyMoreLabelsBelow(change([], labels, above.length), [...above, ...below])
    expect(onlyMoreLabelsBelow(change(labels, [], above.length), [...above, ...labels, ...below])).toBe(came)
    return came
  }

  it('are no change', () => {
    expect(areMore([other])).toBe(true)
    expect(areMore([other], [LAST, one], [block('About it all'), heading('More')])).toBe(true)
    expect(areMore([other, one], [item('We keep it.')])).toBe(true)
  })

  it('have up to 8 words each, and all up to 40', () => {
    const short = (count: number) => block(`Label ${'more '.repeat(count - 1).trim()}`)
    expect([areMore([short(8)]), areMore([short(9)])]).toEqual([true, false])
    const five = Array(5).fill(short(8))
    expect([areMore(five), areMore([...five, short(2)])]).toEqual([true, false])
  })

  it.each([
    ['each word has a capital', [block('Ada Lovelace')], [LAST, one], []],
    ['it is one word', [block('Essentials')], [LAST, one], []],
    ['it is an entry', [item('Advertise with us')], [LAST, one], []],
    ['it names a list', [block('Our affiliates')], [LAST, one], []],
    ['it obliges', [block('You must go')], [LAST, one], []],
    ['a sentence follows', [other], [LAST, one], [LAST]],
    ['an entry follows', [other], [LAST, one], [item('Alpha')]],
    ['a heading is above it', [other], [LAST, heading('Rights')], []],
    ['the last paragraph is a heading', [other], [heading('Rights.'), one], []],
    ['the last paragraph is a row', [other], [row('We keep it.'), one], []],
    ['the last paragraph is no sentence', [other], [words(10), one], []],
    ['the last paragraph introduces a list', [other], [block('You may use the following.'), one], []],
    ['the last paragraph has a list', [other], [block('We collect these data.'), one], []],
    ['the last paragraph includes a list', [other], [block('Ces données comprennent tout.'), one], []],
    ['the last paragraph names a list', [other], [block('We work with third parties.'), one], []],
    ['there is no paragraph', [other], [one], []],
    ['there is no label', [], [LAST, one], []],
  ])('are a change when %s', (_what, labels, above, below) => {
    expect(areMore(labels, above, below)).toBe(false)
  })

  it('may follow a long paragraph that only seems to have a list', () => {
    const long = (count: number) => block(`These ${'rules '.repeat(count - 1).trim()}.`)
    expect([areMore([other], [long(26), one]), areMore([other], [long(25), one])]).toEqual([true, false])
  })

  it('are a change when one took the place of another', () => {
    expect(onlyMoreLabelsBelow(change([one], [other], 1), [LAST, one])).toBe(false)
  })
})
