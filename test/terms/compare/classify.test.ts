import { describe, expect, it } from 'vitest'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from '../texts.ts'
import { classify } from './read.ts'

describe('a change is', () => {
  it.each([
    ['a link that leads elsewhere', replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)')],
    ['a paragraph that has moved', moved()],
  ])('cosmetic: %s', (_what, after) => {
    expect(classify(TERMS, after)).toBe('cosmetic')
  })

  it('cosmetic: a line that breaks before a short end', () => {
    const [first, second] = ['and (d) Example Policies.', 'and (d) Example\nPolicies.']
    const text = (end: string) =>
      `${TERMS}\nIf they conflict, these come first: (a) the order, (b) these terms ${end}\n`
    expect(classify(text(first), text(second))).toBe('cosmetic')
  })

  it('measured in characters where a language has no spaces', () => {
    const text = (verb: string) => `# 服务条款\n\n我们${verb}使用你的内容来训练模型,并会遵守适用的法律。`
    expect(classify(text('不会'), text('将会'))).toBe('minor')
    expect(classify(text('不会'), text('在你同意之后将会'))).toBe('substantive')
  })

  it('dates, when nothing else changed', () => {
    expect(classify(TERMS, replaceIn(TERMS, 'March 3, 2025', '4 April 2026'))).toBe('dates')
  })

  it.each<[what: string, last: string, end: string, classification: string]>([
    ['a list that the last line introduces', 'We do not allow the following.', '- Gambling\n- Weapons', 'minor'],
    ['an entry of a list of names', 'Cloud One\n\nMail Two', 'Pay Three', 'minor'],
    ['an entry of a list with bullets', '- Selling it.', '- Gambling', 'minor'],
    ['a company', 'These terms apply from today.', 'Example Europe Ltd', 'minor'],
    ['a telephone number', 'These terms apply from today.', 'Telephone 0800 555', 'minor'],
    ['a negation', 'These terms apply from today.', 'No refunds', 'minor'],
    ['an annex', 'These terms apply from today.', 'Annex on data', 'minor'],
    ['the state of the document', 'These terms apply from today.', 'Archived', 'minor'],
  ])('at the end of a document, %s', (_what, last, end, classification) => {
    const text = `${TERMS}\n\n${last}`
    expect(classify(text, `${text}\n\n${end}`)).toBe(classification)
    expect(classify(`${text}\n\n${end}`, text)).toBe(classification)
  })

  it.each<[what: string, part: string, classification: string]>([
    [
      'a title and what it promises you',
      'Chat with our assistant\n\nResolve issues with your account and waive your claims against',
      'substantive',
    ],
    ['a paragraph', 'You pay for everything.', 'minor'],
    ['a number', 'Form 1099', 'minor'],
  ])('between a paragraph and a heading, %s', (_what, part, classification) => {
    expect(classify(TERMS, replaceIn(TERMS, '## 1. Your', `${part}\n\n## 1. Your`))).toBe(classification)
  })

  it.each([
    ['a name', 'Ada Lovelace', 'Grace Hopper', 'minor'],
    ['a sentence', 'Similar topics', 'You pay for it.', 'minor'],
    ['a state', '## Similar topics', '## Withdrawn', 'minor'],
  ])('below the document, in place of another: %s', (_what, from, to, classification) => {
    expect(classify(`${TERMS}\n\n${from}`, `${TERMS}\n\n${to}`)).toBe(classification)
  })

  it('cosmetic: other capitals in a sentence', () => {
    expect(classify(TERMS, replaceIn(TERMS, 'your use of our services', 'your Use of Our Services'))).toBe('cosmetic')
  })

  it('cosmetic: a space between two words that had none', () => {
    const [a, b] = ['See the sitehelp.example.orgour team runs.', 'See the site help.example.org our team runs.']
    expect(classify(`${TERMS}\n\n${a}`, `${TERMS}\n\n${b}`)).toBe('cosmetic')
  })

  it('cosmetic: a file that a program reads with other spaces', () => {
    const text = [
      'Version of 13.10.2020',
      'the use of the site',
      'of 15 % a year',
      'we serve the buyers',
      'and no one else',
    ].map((end, i) => `3.${i + 1} Clause ${'abcde'[i]} is about ${end}.`)
    const split = text.map((line) =>
      line
        .replace('3.4 ', '3 .4 ')
        .replace('13.10.2020', '1 3 . 10 .20 20')
        .replace('is about', 'isabo ut')
        .replace('15 %', '1 5 %'),
    )
    expect(classify(text.join('\n\n'), split.join('\n\n'))).toBe('cosmetic')
    const paid = split.map((line) => line.replace('1 5 %', '1 6 %'))
    expect(classify(text.join('\n\n'), paid.join('\n\n'))).not.toBe('cosmetic')
    const fee = (amount: string) => `${TERMS}\n\nThe fee is ${amount} a year.`
    expect(classify(fee('1 5 %'), fee('15 %'))).not.toBe('cosmetic')
    expect(classify(fee('1.5 %'), fee('15 %'))).not.toBe('cosmetic')
  })

  it.each([
    ['a later month', 'Stand: Dezember 2024', 'Stand: Juli 2025', 'dates'],
    ['the month in which it takes effect', 'Effective: June 2026', 'Effective: July 2026', 'dates'],

    ['a date that came', '', 'Last updated: March 3, 2025', 'cosmetic'],
    ['a date that was removed', 'Last updated: March 3, 2025', '', 'cosmetic'],
  ])('in a line with a date alone, %s', (_what, before, after, classification) => {
    const text = (line: string) => replaceIn(TERMS, 'Last updated: March 3, 2025', line)
    expect(classify(text(before), text(after))).toBe(classification)
  })

  it('more than a date where a sentence says from when a text binds someone', () => {
    const told = replaceIn(TERMS, 'Welcome', 'These terms apply on March 3, 2025 or when you accept them.\n\nWelcome')
    expect([classify(told, TERMS), classify(TERMS, told)]).toEqual(['substantive', 'substantive'])
  })

  it('minor up to five words', () => {
    expect(classify(TERMS, replaceIn(TERMS, '30 days notice', '14 days notice'))).toBe('minor')
    expect(classify(TERMS, replaceIn(TERMS, 'twelve months', 'six calendar months, not more, '))).toBe('minor')
  })

  it('substantive beyond five words', () => {
    expect(classify(TERMS, SUBSTANTIVE)).toBe('substantive')
  })

  it('substantive when two long texts have nothing in common, in bounded processor time', () => {
    const began = process.cpuUsage()
    expect(classify(sentences(3_000, 'rule'), sentences(3_000, 'thing').replaceAll('described', 'told'))).toBe(
      'substantive',
    )
    const { user, system } = process.cpuUsage(began)
    expect((user + system) / 1_000).toBeLessThan(15_000)
  })
})

function moved(): string {
  const item = '- You keep all rights in what you send to the services.\n'
  return replaceIn(replaceIn(TERMS, item, ''), '- We do not use your content', `${item}- We do not use your content`)
}
