import { describe, expect, it } from 'vitest'
import { classify } from './read.ts'
import { replaceIn, SUBSTANTIVE, sentences, TERMS } from './texts.ts'

describe('a change is', () => {
  it.each([
    ['a link that leads elsewhere', replaceIn(TERMS, 'pricing page', '[pricing page](https://example.com/new)')],
    ['a paragraph that has moved', moved()],
    ['a title that came', `# Agreement\n\n${TERMS}`.replace('# Terms of Service\n', '')],
    [
      'an address that is hidden from robots',
      `${TERMS}\nWrite to [\\[email protected\\]](/cdn-cgi/l/email-protection).`,
    ],
  ])('cosmetic: %s', (what, after) => {
    const before = what.startsWith('an address')
      ? `${TERMS}\nWrite to legal@example.com.`
      : what.startsWith('a title')
        ? TERMS.replace('# Terms of Service\n', '')
        : TERMS
    expect(classify(before, after)).toBe('cosmetic')
  })

  it('cosmetic: a line that breaks before a short end', () => {
    const [first, second] = ['and (d) Example Policies.', 'and (d) Example\nPolicies.']
    const text = (end: string) =>
      `${TERMS}\nIf they conflict, these come first: (a) the order, (b) these terms ${end}\n`
    expect(classify(text(first), text(second))).toBe('cosmetic')
  })

  it('minor: an address that changed beside another that is hidden from robots', () => {
    const text = (address: string) => `${TERMS}\nPress: [email protected].\n\nWrite to ${address} if you object.\n`
    expect(classify(text('legal@example.com'), text('law@example.com'))).toBe('minor')
    expect(classify(text('legal@example.com'), text('[email protected]'))).toBe('cosmetic')
  })

  it('cosmetic: an address with a number after it that is hidden from robots', () => {
    const text = (address: string) => `${TERMS}\nWrite to us or call us: ${address}571-758-3823\n`
    expect(classify(text('legal@example.com '), text('email protected'))).toBe('cosmetic')
    expect(classify(text('legal@example.com '), text('email protectedple.com '))).toBe('cosmetic')
    expect(classify(text('legal@example.com '), text('legal.aemail protected'))).toBe('cosmetic')
    expect(classify(text('legal@example.com '), text('email protected').replace('3823', '3824'))).not.toBe('cosmetic')
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
    ['titles of a menu', 'These terms apply from today.', 'Sources\n\nHistory', 'cosmetic'],
    ['buttons', 'These terms apply from today.', 'Download the app now\n\nJoin us today', 'cosmetic'],
    ['a menu with bullets', 'These terms apply from today.', '- Sources\n- History', 'cosmetic'],
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

  it('cosmetic: a row of labels above a document without headings', () => {
    const text =
      'Owner terms\n\nYou own what you bring here, and we only keep it for you.\n\nYou take it back at any time.'
    expect(classify(text, `All help\n\nTerms for owners\n\n${text}`)).toBe('cosmetic')
    expect(classify(text, `- All help\n- Terms for owners\n\nNot in force.\n\n${text}`)).toBe('substantive')
  })

  it.each<[what: string, part: string, classification: string]>([
    ['a person to chat with', 'Ada Lovelace\n\nContact', 'cosmetic'],
    ['a title', '### More about it', 'cosmetic'],
    [
      'a button and what it promises',
      'Chat with our assistant\n\nResolve issues, make changes and get support in real time',
      'cosmetic',
    ],
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
    [
      'a title and a button',
      '## Similar topics\n\nSend news / corrections',
      '## More about\n\nSend us news',
      'cosmetic',
    ],
    ['a name', 'Ada Lovelace', 'Grace Hopper', 'minor'],
    ['a sentence', 'Similar topics', 'You pay for it.', 'minor'],
    ['a state', '## Similar topics', '## Withdrawn', 'minor'],
  ])('below the document, in place of another: %s', (_what, from, to, classification) => {
    expect(classify(`${TERMS}\n\n${from}`, `${TERMS}\n\n${to}`)).toBe(classification)
  })

  it('cosmetic: other capitals in a sentence', () => {
    expect(classify(TERMS, replaceIn(TERMS, 'your use of our services', 'your Use of Our Services'))).toBe('cosmetic')
  })

  it('cosmetic: a bar that announced a change and went, which counted when it came', () => {
    const bar = 'We are updating our Privacy Policy. The new version takes effect on 1 June 2026. See what changes.'
    const announced = replaceIn(TERMS, 'Welcome to Example.', `${bar}\n\nWelcome to Example.`)
    expect(classify(announced, TERMS)).toBe('cosmetic')
    expect(classify(TERMS, announced)).toBe('substantive')
    const clause = 'You have to update your details within 30 days.'
    expect(classify(`${TERMS}\n\n${clause}`, TERMS)).toBe('substantive')
  })

  it('cosmetic: an index of headings, and a passage that is there twice', () => {
    const index = '## 1. Your account\n\n## 2. Your content\n\n## 3. Payment'
    const indexed = replaceIn(TERMS, 'Welcome to Example.', `${index}\n\nWelcome to Example.`)
    expect(classify(indexed, TERMS)).toBe('cosmetic')
    const passage = sentences(12, 'clause')
    const once = `${TERMS}\n\n${passage}\n\n## 5. More\n\n${sentences(30, 'rule')}`
    expect(classify(`${once}\n\n${passage}`, once)).toBe('cosmetic')
    expect(classify(`${once}\n\n${sentences(1, 'clause')}`, once)).not.toBe('cosmetic')
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

  it('cosmetic: questions to choose from, without their answers', () => {
    const questions = 'What is copyright?\n\nWhat is a trademark?'
    expect(classify(TERMS, `${TERMS}\n\n${questions}`)).toBe('cosmetic')
    expect(classify(TERMS, `${TERMS}\n\n${questions}\n\nIt is the name of a firm.`)).toBe('substantive')
    expect(classify(TERMS, `${TERMS}\n\nReport a copy\n\n${questions}`)).toBe('cosmetic')
    const answered = 'May I share it?\n\nYes, with friends\n\nMay I sell it?\n\nYes, with care'
    expect(classify(TERMS, `${TERMS}\n\n${answered}`)).toBe('substantive')
  })

  it('cosmetic: letters that an encoding lost', () => {
    const dutch = `${TERMS}\n\nDe gewenste beëindigingsdatum geldt in België.`
    const lost = `${TERMS}\n\nDe gewenste be?indigingsdatum geldt in Belgi\ufffd.`
    expect(classify(dutch, lost)).toBe('cosmetic')
    expect(classify(lost, dutch.replace('gewenste', 'vroegste'))).toBe('minor')
  })

  it('cosmetic: a passage that is in another language now, beside a change that is shown', () => {
    const english =
      'The questions in this part provide some information about copyrights, including how to protect your own works and how to avoid infringing the works of somebody else.'
    const french =
      "Cette rubrique fournit certaines informations sur les droits d'auteur, notamment sur la manière de protéger vos propres œuvres et de ne pas enfreindre les droits d'autrui."
    const [a, b] = [english, french].map((part) => replaceIn(TERMS, '## 1. Your', `${part}\n\n## 1. Your`))
    expect(classify(a!, b!)).toBe('cosmetic')
    expect(classify(a!, replaceIn(b!, 'at least 16 years', 'at least 18 years'))).toBe('minor')
  })

  it.each([
    ['a month that passed', 'Stand: Dezember 2024', 'Stand: Januar 2025', 'cosmetic'],
    [
      'a month that passed beside another',
      'Actualizado: Junio 2022 Feb 2024',
      'Actualizado: Junio 2022 Mar 2024',
      'cosmetic',
    ],
    ['a later month', 'Stand: Dezember 2024', 'Stand: Juli 2025', 'dates'],
    ['the month in which it takes effect', 'Effective: June 2026', 'Effective: July 2026', 'dates'],
    ['a date that went', 'Last updated: March 3, 2025', '', 'cosmetic'],
    ['a date that came', '', 'Last updated: March 3, 2025', 'dates'],
  ])('in a line with a date alone, %s', (_what, before, after, classification) => {
    const text = (line: string) => replaceIn(TERMS, 'Last updated: March 3, 2025', line)
    expect(classify(text(before), text(after))).toBe(classification)
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
