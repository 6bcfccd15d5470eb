import { describe, expect, it } from 'vitest'
import { isAnswer } from '../../src/terms/normalize/boilerplate-rules.ts'
import { plainRow, startsWithDay } from '../../src/terms/normalize/line-text-rules.ts'
import { readText } from '../../src/terms/normalize/normal-form-rules.ts'
import { normalForm, notADocument } from './read.ts'

/** A short document; whole ones are too slow for the tests that mutants are tried against. */
const TERMS = `# Terms of Service

Welcome to Example. These terms form an agreement between you and Example, Inc.

## 1. Your account

You must be at least 16 years old to use the services. Tell us at once when somebody else has used your account.

## 3. Payment

You pay the fees that the pricing page shows. We may change them with 30 days notice.

## 4. Liability

Our total liability is limited to the amount you paid us in the twelve months before the claim arose.
`
const replaceIn = (text: string, from: string, to: string) => text.replace(from, () => to)
const sentences = (count: number, subject: string) =>
  Array.from(
    { length: count },
    (_, i) => `The ${subject} number ${i} is described here in a few words of its own.`,
  ).join('\n\n')
const said = (text: string) => replaceIn(TERMS, '## 4. Liability', `${text}\n\n## 4. Liability`)
const table = (rows: string[]) =>
  said(`| Name | A | B |\n| --- | --- | --- |\n${rows.map((row) => `| ${row} |`).join('\n')}`)
const links = (...names: string[]) =>
  names.map((name) => `[${name}](https://${name.toLowerCase()}.example/)`).join(', ')
const differ = (before: string, after: string) => expect(normalForm(before)).not.toBe(normalForm(after))

/** What is so short that it looks like a label, a date or a menu, and says something all the same. */
describe('a short clause', () => {
  it.each([
    ['an answer', 'Do we sell your personal information?\n\nNo.', 'Do we sell your personal information?\n\nYes.'],
    ['an answer in French', 'Vendons-nous vos données ?\n\nNon', 'Vendons-nous vos données ?\n\nOui'],
    [
      'an entry that is named like a button',
      'You may not:\n\n- Sell\n- Rent',
      'You may not:\n\n- Sell\n- Rent\n- Copy',
    ],
    ['an entry of what is done', 'We may:\n\n- Store it', 'We may:\n\n- Store it\n- Share with partners'],
    ['a number below its label', 'Days of notice:\n\n30', 'Days of notice:\n\n90'],
    ['who hosts', 'Hosted by Amazon Web Services', 'Hosted by Microsoft Azure'],
    [
      'when things were bought',
      'Not covered are:\n\n- Purchases made 30 days ago',
      'Not covered are:\n\n- Purchases made 14 days ago',
    ],
    [
      'dates of payments',
      'Due on 1 January 2026, 1 April 2026, 1 July 2026 and 1 October 2026.',
      'Due on 1 January 2026, 1 April 2026, 1 July 2026 and 2 October 2026.',
    ],
    [
      'languages of support',
      'Support is in English, German, French, Spanish and Italian.',
      'Support is in English, German, French, Spanish and Dutch.',
    ],
    ['a day in German', '15. Januar 2026', '31. Januar 2026'],
    ['a day in a German list', '- 15. Januar 2026: Frist', '- 31. Januar 2026: Frist'],
    ['an age in German', '- 16. Lebensjahr vollendet', '- 18. Lebensjahr vollendet'],
    ['links to others in a line', links('Stripe', 'Adyen'), links('Stripe', 'Adyen', 'PayPal')],
  ])('is compared: %s', (_, before, after) => {
    differ(said(before), said(after))
  })

  it.each([
    ['✓', '✗'],
    ['✅', '❌'],
    ['○', '×'],
    ['●', '○'],
  ])('may be a mark in a cell: %s is not %s', (yes, no) => {
    differ(table([`Used for training | ${yes} | x`]), table([`Used for training | ${no} | x`]))
  })

  it('is no mark that draws, and the same mark in another style is the same', () => {
    expect(normalForm(said('✓ We store it in Europe.'))).toBe(normalForm(said('We store it in Europe.')))
    expect(normalForm(table(['Training | ✓ | x']))).toBe(normalForm(table(['Training | ✔️ | x'])))
  })

  it('is a row of a table that begins with a language and says more', () => {
    const hours = ['Japanese', 'Korean', 'Thai', 'Dutch', 'Polish', 'Greek'].map(
      (name) => `${name} | Mon to Fri | 9 to 17`,
    )
    differ(table(hours), table(hours.slice(1)))
    const agencies = ['Danish', 'Irish', 'Dutch', 'Polish', 'Finnish', 'Greek'].map(
      (name) => `${name} Data Protection Agency | DK | x`,
    )
    differ(table(agencies), table(agencies.slice(1)))
  })

  it('about the sale of personal data is no advertisement of a sale', () => {
    const top = (number: string) =>
      replaceIn(
        TERMS,
        'Welcome to',
        `To opt out of the sale of your personal information, call ${number}.\n\nWelcome to`,
      )
    differ(top('1-800-555-0199'), top('1-800-555-0100'))
  })

  it('is a row or an entry with a date that goes to another list', () => {
    const lists = (one: string, other: string) =>
      said(`You may:\n\n- Read: 3 May 2026\n${one}\n\nYou may not:\n\n- Rent: 2 May 2026\n${other}`)
    differ(lists('- Sell: 4 May 2026', ''), lists('', '- Sell: 4 May 2026'))
  })

  it('is what a bar about an update says beside it', () => {
    const bar = (text: string) => `We have updated our Privacy Policy on 1 June 2026.\n\n${text}\n\n${TERMS}`
    differ(bar('You have a right to object to it by email.'), bar('You have a right to object to it by letter.'))
  })

  it('is an entry that is the title of a part, where the list says what survives', () => {
    const end = (...parts: string[]) =>
      said(`The following sections survive termination:\n\n${parts.map((part) => `- ${part}`).join('\n')}`)
    differ(end('Payment', 'Liability'), end('Liability'))
    const index = (...parts: string[]) => said(`In these terms:\n\n${parts.map((part) => `- ${part}`).join('\n')}`)
    expect(normalForm(index('Payment', 'Liability'))).toBe(normalForm(index('Liability')))
  })

  it('below a part with related documents, or a question about cookies far above, is compared', () => {
    const related = (months: number) =>
      `${TERMS}\n\n## Related documents\n\nUsage Policy\n\n## Review\n\nReviewed every ${months} months`
    differ(related(12), related(24))
    const cookies = (text: string) =>
      `We use essential cookies.\n\nAccept all\n\n${sentences(30, 'rule')}\n\n${text}\n\nReject all`
    differ(cookies('We keep your data.'), cookies('We sell your data.'))
  })

  it('in the lists of annexes of other languages is compared', () => {
    const annexes = (count: number) =>
      said(`## Anlagen\n\n${Array.from({ length: count }, (_, n) => `[Anlage ${n}](/anlage-${n})`).join('\n\n')}`)
    differ(annexes(4), annexes(5))
  })

  it('that ends a document above a menu is no title of the menu', () => {
    const menu = ['About', 'Press', 'Jobs', 'Blog'].map((name) => `[${name}](/${name.toLowerCase()})`).join('\n\n')
    differ(`${TERMS}\n\nGoverning law: Ireland\n\n${menu}`, `${TERMS}\n\nGoverning law: France\n\n${menu}`)
  })
})

describe('an answer', () => {
  it.each([
    ['No.', 'Do we sell your data?', true],
    ['Yes', 'Do we sell “your data?”', true],
    ['No.', 'Why? It is ours.', false],
    ['No', 'Was this page helpful?', false],
    ['Maybe', 'Do we sell your data?', false],
    ['No', undefined, false],
    ['30', 'Days of notice:', true],
    ['30', 'Notice: in days', false],
    ['30', 'Days of notice', false],
    ['thirty', 'Days of notice:', false],
    ['30', undefined, false],
  ])('is “%s” below “%s”: %s', (line, before, expected) => {
    expect(isAnswer(line, before)).toBe(expected)
  })
})

describe('a cell of a table', () => {
  it('is a mark where it has nothing else', () => {
    expect(plainRow(['✓ Fast and free', ' ✔️ ', '×', '2 × 3'])).toBe('Fast and free ✓ ✗ 2 × 3')
  })

  it.each([
    ['15. Januar 2026', true],
    ['15. Januar', true],
    ['16. Lebensjahr', true],
    ['1. May we', false],
    ['8. August promotions', false],
    ['x 15. Januar 2026', false],
  ])('or a line begins with a day: “%s” is %s', (text, expected) => {
    expect(startsWithDay(text)).toBe(expected)
  })
})

describe('the number of a clause', () => {
  const clauseOf = (text: string, words: string) =>
    readText(text).blocks.find(({ text: read }) => read.includes(words))?.clause

  it('is that of the paragraph above a letter', () => {
    const text = said('## 7. Fees\n\n7.1 You pay.\n\n7.2 We may suspend if:\n\n(a) you do not pay')
    expect(clauseOf(text, 'you do not pay')).toBe('7.2(a)')
    expect(clauseOf(said('## 7. Fees\n\nWe may suspend if:\n\n(a) you do not pay'), 'you do not pay')).toBe('7(a)')
  })

  it('is that of a part which is titled like a button', () => {
    const text = said(
      '## 11. Governing law\n\nIrish law applies.\n\n## 12. Contact us\n\nWrite to the seller at any time.',
    )
    expect(clauseOf(text, 'Write to the seller')).toBe('12')
  })
})

describe('a short document', () => {
  it('that keeps most of its text is no notice, whatever a new sentence says', () => {
    const policy = `# Usage policy\n\n${sentences(8, 'rule')}`
    for (const added of ['Some features are not available in all regions.', 'Reverse engineering: access denied.'])
      expect(notADocument(`${policy}\n\n${added}`, [], policy)).toBeUndefined()
    expect(
      notADocument('# Access denied\n\nYou do not have permission to view this page. Reference number 18.', [], policy),
    ).toBe('access denied')
  })
})
