import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { significanceOf } from '../../../src/terms/compare/significance-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

const FILLER = Array.from({ length: 12 }, (_, n) => `Paragraph ${n} describes feature${n} of the product.`)
const page = (...paragraphs: string[]) => ['# Terms', ...FILLER, '## Clauses', ...paragraphs].join('\n\n')

function between(before: string, after: string) {
  const [a, b] = [readText(before), readText(after)]
  return significanceOf(a, b, changesBetween(a, b))
}
const of = (before: string, after: string) => between(page(before), page(after))
const added = (...paragraphs: string[]) => between(page('It is so.'), page('It is so.', ...paragraphs))
/** This many different words that bind no one. */
const prose = (count: number) =>
  `${Array.from({ length: count }, (_, n) => `thing${'abcdefghij'[n % 10]}${'abcdefghijklmno'[Math.floor(n / 10)]}`).join(' ')}.`

describe('a change of high significance', () => {
  it.each([
    ['liability that is limited no longer', 'Our liability is not limited.', 'Our liability is limited.'],
    ['an amount', 'Our liability ends at $100.', 'Our liability ends at $500.'],
    ['a percentage', 'Late payments cost 1 % a month.', 'Late payments cost 2 % a month.'],
    ['a period of notice', 'You terminate with 30 days of notice.', 'You terminate with 14 days of notice.'],
    ['an amount behind its currency', 'Our liability ends at USD 5,000,000.', 'Our liability ends at USD 1,000,000.'],
    ['a period in words', 'You terminate with thirty days of notice.', 'You terminate with ten days of notice.'],
    ['hundreds of days', 'We retain it for one hundred days.', 'We retain it for two hundred days.'],
    [
      'a German period',
      'Sie kündigen mit einer Frist von zwei Wochen.',
      'Sie kündigen mit einer Frist von vier Wochen.',
    ],
    ['a licence for others too', 'You grant us a non-exclusive license.', 'You grant us an exclusive license.'],
    ['an Italian negation', 'Il cliente non ha questi diritti.', 'Il cliente ha questi diritti.'],
    ['a period in brackets', 'We retain it for thirty (30) days.', 'We retain it for thirty (90) days.'],
    ['a modal verb', 'We may sell your data.', 'We will sell your data.'],
    ['a right of licence', 'You keep your content.', 'You keep your content. We must have a perpetual license to it.'],
    ['training', 'We use inputs.', 'We use inputs. You cannot opt out of training.'],
    ['another language', 'Der Anbieter haftet.', 'Der Anbieter haftet. Er kann jederzeit kündigen.'],
    ['a court', 'It is so.', 'It is so. Any dispute shall be settled by arbitration.'],
  ])('binds otherwise in what is owed: %s', (_what, before, after) => {
    expect(of(before, after)).toBe('high')
    expect(of(after, before)).toBe('high')
  })

  it('is a prohibition that was added to a list, or removed, although the entry itself forbids nothing', () => {
    const list = (...entries: string[]) =>
      page('It is prohibited, and you may not:', ...entries.map((entry) => `- ${entry}`))
    expect(between(list('spam'), list('spam', 'harass people'))).toBe('high')
    expect(between(list('spam', 'harass people'), list('spam'))).toBe('high')
    expect(between(list('spam now'), list('spam always'))).toBe('low')
    const plain = (...entries: string[]) => page('We offer:', ...entries.map((entry) => `- ${entry}`))
    expect(between(plain('spam'), plain('spam', 'harass people'))).toBe('low')
    const both = (...entries: string[]) => {
      const forbidden = page('We forbid this, and you may not:', '- harass', '---')
      return [plain(...entries), forbidden].join('\n\n')
    }
    expect(between(both('spam'), both('spam', 'harass people'))).toBe('low')
    const noted = (...entries: string[]) => page('Note: you may not be rude.', ...entries.map((entry) => `- ${entry}`))
    expect(between(noted('spam'), noted('spam', 'harass people'))).toBe('low')
    const more = page('It is prohibited, and you may not:', '- spam', '- harass people', 'We are here to help.')
    expect(between(list('spam'), more)).toBe('low')
    expect(between('It is so.', '- spam\n- eggs\n\nIt is so.')).toBe('low')
    const open = (...entries: string[]) => page('You may not be rude.', ...entries.map((entry) => `- ${entry}`))
    expect(between(open('spam'), open('spam', 'harass people'))).toBe('low')
  })

  it('is a rule about rights of 30 different words or more, and a shorter one where the date moved on', () => {
    const rule = (count: number) => `Licenses ${prose(count)}`
    expect(added(rule(29))).toBe('high')
    expect(added(rule(28))).toBe('medium')
    const dated = (day: string, ...paragraphs: string[]) =>
      `Last updated: ${day}\n\n${page('It is so.', ...paragraphs)}`
    expect(between(dated('May 1, 2025'), dated('May 2, 2026', rule(3)))).toBe('high')
    expect(between(dated('May 1, 2025'), dated('May 1, 2025', rule(3)))).toBe('medium')
    expect(between(dated('May 1, 2025'), dated('April 1, 2024', rule(3)))).toBe('medium')
    expect(between(page('It is so.'), dated('May 2, 2026', rule(3)))).toBe('medium')
    expect(between(dated('May 1, 2025'), page('It is so.', rule(3)))).toBe('medium')
    expect(
      between(
        dated('May 1, 2025', 'We began with it on May 1, 2020.'),
        dated('May 1, 2025', 'We began with it on May 9, 2026.', rule(3)),
      ),
    ).toBe('medium')
    const dates = (...days: string[]) => days.map((day) => `Effective: ${day}`).join('\n\n')
    const twice = (days: string[], ...paragraphs: string[]) =>
      `${dates(...days)}\n\n${page('It is so.', ...paragraphs)}`
    expect(between(twice(['May 9, 2025', 'May 1, 2024']), twice(['May 3, 2025', 'May 2, 2025'], rule(3)))).toBe(
      'medium',
    )
    expect(between(twice(['May 9, 2024', 'May 1, 2025']), twice(['May 3, 2025', 'May 2, 2024'], rule(3)))).toBe('high')
  })

  it('is another contracting party with a new date', () => {
    const terms = (day: string, party: string) => `Effective: ${day}\n\n${page(`You deal with Acme ${party} here.`)}`
    expect(between(terms('May 1, 2025', 'Inc'), terms('June 1, 2025', 'Ltd'))).toBe('high')
    expect(between(terms('May 1, 2025', 'Inc'), terms('May 1, 2025', 'Ltd'))).toBe('medium')
  })

  it('is a text of which half was rewritten with 100 different words, in whatever language', () => {
    const rewritten = (count: number, kept: number) =>
      between(
        ['# T', ...FILLER.slice(0, 2 * kept)].join('\n\n'),
        [
          '# T',
          ...FILLER.slice(0, kept),
          ...Array.from({ length: kept + 1 }, (_, n) => prose(count).replaceAll('thing', `x${'abcdefgh'[n]}`)),
        ].join('\n\n'),
      )
    expect(rewritten(40, 3)).toBe('high')
    expect(rewritten(8, 3)).toBe('medium')
    expect(added(prose(120))).toBe('medium')
  })
})

describe('a change of medium significance', () => {
  it.each([
    ['a modal verb beside no right', 'We may call you.', 'We will call you.'],
    ['a period beside no right', 'We answer in 3 days.', 'We answer in 5 days.'],
    ['a period in words beside no right', 'We answer within one business day.', 'We answer within two business days.'],
    ['an amount behind its currency, beside no right', 'It weighs as much as EUR 5.', 'It weighs as much as EUR 50.'],
    ['a word about rights alone', 'We need your permission.', 'We need your consent.'],
  ])('binds a little: %s', (_what, before, after) => {
    expect(of(before, after)).toBe('medium')
  })

  it('is one of several changes', () => {
    const two = (one: string, other: string) => page(one, 'It is so.', other)
    expect(between(two('We may call you.', 'Bye.'), two('We will call you.', 'Farewell.'))).toBe('medium')
    expect(between(two('We may sell it.', 'Bye.'), two('We will sell it.', 'Farewell.'))).toBe('high')
    expect(between(two('You keep it. Stay.', 'Bye.'), two('You keep it. You must pay. Stay here.', 'Farewell.'))).toBe(
      'high',
    )
  })

  it('is a sub-processor that was added or removed', () => {
    const table = (...names: string[]) =>
      page(['| Name | Place |', '| --- | --- |', ...names.map((name) => `| ${name} | France |`)].join('\n'))
    expect(between(table('Alpha', 'Beta'), table('Alpha', 'Beta', 'Gamma'))).toBe('medium')
    expect(between(table('Alpha', 'Beta'), table('Alpha'))).toBe('medium')
  })

  it('is more than 20 different words that bind no one, or more than 10 where the date moved on', () => {
    expect(added(prose(21))).toBe('medium')
    expect(added(prose(20))).toBe('low')
    expect(added(prose(20), '11 12 13 14 15 16 17 18 19.')).toBe('low')
    expect(added(prose(20).replace('.', ''))).toBe('low')
    expect(added(prose(21).replace('.', ''))).toBe('medium')
    const dated = (day: string, ...paragraphs: string[]) =>
      `Last updated: ${day}\n\n${page('It is so.', ...paragraphs)}`
    expect(between(dated('May 1, 2025'), dated('May 2, 2026', prose(11)))).toBe('medium')
    expect(between(dated('May 1, 2025'), dated('May 2, 2026', prose(10)))).toBe('low')
  })
})

describe('a change of low significance', () => {
  it.each([
    [
      'a typing error',
      'These terms aply to the pricing page of the product.',
      'These terms apply to the pricing page of the product.',
    ],
    [
      'a new name',
      'ChatGPT Team and its license are for teams. Fees of ChatGPT Team are due.',
      'ChatGPT Business and its license are for teams. Fees of ChatGPT Business are due.',
    ],
    [
      'an address',
      'Write to 3180 18th Street, San Francisco, CA 94110.',
      'Write to 1455 3rd Street, San Francisco, CA 94158.',
    ],
    ['numbers of other things', 'One and all of the two parts are here.', 'Two and all of the one part are here.'],
    ['dates of the text', 'It is as of May 1, 2025.', 'It is as of June 3, 2026.'],
  ])('is %s', (_what, before, after) => {
    expect(of(before, after)).toBe('low')
  })

  it('is another date of the document', () => {
    const dated = (day: string) => `Last updated: ${day}\n\n${page('You shall pay.')}`
    expect(between(dated('May 1, 2025'), dated('May 2, 2026'))).toBe('low')
  })

  it('is a label of the page, also a longer menu above the first heading', () => {
    const labels = Array.from({ length: 12 }, (_, n) => `Feature${'abcdefghijkl'[n]} you may try`)
    expect(added(...labels)).toBe('low')
    expect(added(...labels.map((label) => `${label}.`))).toBe('medium')
    expect(added('You may now try one two three four')).toBe('low')
    expect(added('You may now try one two three four five')).toBe('medium')
    const menu = labels.map((label) => `- ${label}`).join('\n')
    expect(between(page('It is so.'), `${menu}\n\n${page('It is so.')}`)).toBe('low')
    expect(added(menu)).toBe('medium')
  })

  it('is a paragraph that moved elsewhere, beside a detail', () => {
    const rule = 'You shall pay all fees within 30 days.'
    const before = ['# Terms', rule, ...FILLER, 'It is so.'].join('\n\n')
    const after = ['# Terms', ...FILLER, rule, 'It is thus.'].join('\n\n')
    expect(between(before, after)).toBe('low')
  })
})
