import { describe, expect, it } from 'vitest'
import { classify, differenceOf, doubtsOf, normalForm } from './compare/read.ts'
import { replaceIn, sentences, TERMS } from './texts.ts'

const link = (name: string, target = `/legal/${name.toLowerCase().replaceAll(' ', '-')}`) => `[${name}](${target})`
const FIRMS = ['Cloud One', 'Mail Two', 'Pay Three', 'Chat Four', 'Index Five']
const AGREEMENTS = ['Service Terms', 'Data Processing Addendum', 'Usage Policy', 'Brand Guidelines', 'Support Policy']
const withPart = (part: string) => replaceIn(TERMS, '## 4. Liability', `${part}\n\n## 4. Liability`)
const firms = (names: string[]) =>
  withPart(
    `We use these sub-processors:\n\n${names.map((name) => link(name, `https://${name.split(' ')[1]!.toLowerCase()}.example.net/`)).join('')}`,
  )
const agreements = (names: string[]) =>
  withPart(`The following agreements are part of these terms.\n\n${names.map((name) => `- ${link(name)}`).join('\n')}`)
const table = (rows: [string, string][]) =>
  withPart(
    `## Sub-processors\n\n| Name | Purpose |\n| --- | --- |\n${rows.map((row) => `| ${row.join(' | ')} |`).join('\n')}`,
  )
const said = (text: string) => withPart(text)

describe('what counts as a change', () => {
  it.each<[what: string, before: string, after: string]>([
    ['a sub-processor in a row of links', firms(FIRMS), firms([...FIRMS, 'Voice Six'])],
    ['a sub-processor that left a row of links', firms(FIRMS), firms(FIRMS.slice(1))],
    ['an agreement in a list of links', agreements(AGREEMENTS), agreements([...AGREEMENTS, 'Credit Terms'])],
    ['a comparison', said('Uptime is ≥ 99.9 % a month.'), said('Uptime is ≤ 99.9 % a month.')],
    ['a comparison as it is typed', said('Use of >= 10 seats is free.'), said('Use of <= 10 seats is free.')],
    ['a sign', said('The rate is -5 percent.'), said('The rate is 5 percent.')],
    ['a minus sign', said('A change of −5 % applies.'), said('A change of 5 % applies.')],
    ['an amount after a bullet', said('- 1.5 Credits\n- 3 Seats'), said('- 2.5 Credits\n- 3 Seats')],
    ['an amount after an escaped bullet', said('\\- 1.5 Credits'), said('\\- 2.5 Credits')],
    ['a currency', said('The fee is 5 €.'), said('The fee is 5 £.')],
    ['who reserves a right', said('All rights reserved by Provider.'), said('All rights reserved by Customer.')],
    [
      'where an entry of a list of links leads',
      said(`The following lists apply:\n\n- ${link('Sub-processors', '/list-2025')}`),
      said(`The following lists apply:\n\n- ${link('Sub-processors', '/list-2026')}`),
    ],
    [
      'an address that is shown',
      said('See https://example.com/list-2025 for the list.'),
      said('See https://example.com/list-2026 for the list.'),
    ],
    ['may that became may not', said('We may share your content.'), said('We may not share your content.')],
    ['must that became may', said('You must tell us.'), said('You may tell us.')],
    [
      'a negation in German',
      said('Wir geben Ihre Daten weiter und haften dafür.'),
      said('Wir geben Ihre Daten nicht weiter und haften dafür.'),
    ],
    [
      'a negation in French',
      said('Nous ne vendons vos données qu’une fois.'),
      said('Nous ne vendons pas vos données une fois.'),
    ],
    [
      'an entry of a list that stays in another list',
      said('Covered\n\nCloud\n\nMail\n\nPay\n\nPriced\n\nCloud\n\nMail\n\nPay'),
      said('Covered\n\nCloud\n\nMail\n\nPriced\n\nCloud\n\nMail\n\nPay'),
    ],
    ['the name in a row of a table', table([['Cloud One', 'Hosting']]), table([['Cloud Two', 'Hosting']])],
  ])('%s', (_what, before, after) => {
    expect(normalForm(after)).not.toBe(normalForm(before))
    expect(['substantive', 'minor']).toContain(classify(before, after))
  })

  it.each<[what: string, before: string, after: string]>([
    ['may that became may not', said('We may share your content.'), said('We may not share your content.')],
    ['shall that became may', said('We shall delete it.'), said('We may delete it.')],
    ['a comparison that was turned around', said('Uptime is ≥ 99.9 % a month.'), said('Uptime is ≤ 99.9 % a month.')],
    ['a sign that was removed', said('The rate is -5 percent.'), said('The rate is 5 percent.')],
    [
      'one party for another',
      said('All rights are reserved by Provider.'),
      said('All rights are reserved by Customer.'),
    ],
    ['a new sub-processor of two words', firms(FIRMS), firms([...FIRMS, 'Voice Six'])],
    [
      'a new row of a table',
      table([['Cloud One', 'Hosting']]),
      table([
        ['Cloud One', 'Hosting'],
        ['Mail Two', 'Mail'],
      ]),
    ],
    ['a new agreement', agreements(AGREEMENTS), agreements([...AGREEMENTS, 'Credit Terms'])],
  ])('substantive, however few its words: %s', (_what, before, after) => {
    expect(classify(before, after)).toBe('substantive')
  })

  it('rows are added and removed by name, wherever they are', () => {
    const before = table([
      ['Cloud One', 'Hosting'],
      ['Mail Two', 'Mail'],
      ['Pay Three', 'Payments'],
    ])
    const after = table([
      ['Pay Three', 'Payments and tax'],
      ['Voice Six', 'Calls'],
      ['Cloud One', 'Hosting'],
    ])
    expect(differenceOf(before, after).rows).toEqual([
      { section: 'Sub-processors', added: ['Voice Six'], removed: ['Mail Two'], changed: ['Pay Three'] },
    ])
  })

  it('rows that only moved are cosmetic', () => {
    const rows: [string, string][] = [
      ['Cloud One', 'Hosting'],
      ['Mail Two', 'Mail'],
      ['Pay Three', 'Payments'],
    ]
    expect(classify(table(rows), table(rows.toReversed()))).toBe('cosmetic')
  })

  it('says of each change its section, its clause and its topics', () => {
    const changed = replaceIn(replaceIn(TERMS, '30 days notice', '14 days notice'), 'twelve months', 'six months')
    expect(differenceOf(TERMS, changed).changes).toEqual([
      { section: 'Payment', clause: '3', topics: ['price', 'dates'], wordsRemoved: 1, wordsAdded: 1 },
      {
        section: 'Liability',
        clause: '4',
        topics: expect.arrayContaining(['liability']),
        wordsRemoved: 1,
        wordsAdded: 1,
      },
    ])
  })

  it.each([
    ['2.1 The customer shall pay.', '2.1'],
    ['(b) The customer shall pay.', '4(b)'],
    ['3. The customer shall pay.', '4.3'],
    ['4.7 The customer shall pay.', '4.7'],
  ])('knows the number of a clause: %s', (clause, number) => {
    const text = (line: string) => `# Terms\n\n## 4. Payment\n\n${line}\n`
    const changes = differenceOf(text(clause), text(clause.replace('shall', 'may'))).changes
    expect(changes).toMatchObject([{ section: 'Payment', clause: number }])
  })
})

describe('what does not count as a change', () => {
  const page = sentences(30, 'rule')
  it.each<[what: string, before: string, after: string]>([
    [
      'a query in an address that is shown',
      said('See https://example.com/a?x=1 now.'),
      said('See https://example.com/a?x=2 now.'),
    ],
    ['the path of a help centre', TERMS, `All CollectionsSafeguardsTerms of Service\n\n${TERMS}`],
    [
      'a number without its space',
      said('5.CONFIDENTIALITY of what you send us.'),
      said('CONFIDENTIALITY of what you send us.'),
    ],

    [
      'an index with page numbers',
      TERMS,
      `ARTICLE 1. ACCOUNT ................ 2\n\nARTICLE 2. CONTENT .............. 3\n\n${TERMS}`,
    ],

    [
      'where a heading leads',
      said('It names the agreements that apply.\n\n### Who may use it\n\nThis part says who may use it.'),
      said('It names the agreements that apply.\n\n### [Who may use it](/who)\n\nThis part says who may use it.'),
    ],

    ['dashes that draw', TERMS, `--- --- ---\n\n${TERMS}`],

    [
      'the language of an entry of a list',
      said('The following apply:\n\n- [Canada](https://a.example.com/en-aop/legal/x)'),
      said('The following apply:\n\n- [Canada](https://a.example.com/legal/x)'),
    ],
    [
      'the number of a clause',
      said('4.1 The customer shall pay within the agreed time.'),
      said('4.2 The customer shall pay within the agreed time.'),
    ],
  ])('%s', (_what, before, after) => {
    expect(normalForm(after)).toBe(normalForm(before))
  })

  it('the same page for another region is unusual', () => {
    const terms = (center: string, organizations: string, behavior: string, date = '') =>
      `# Terms of Use\n\n${date}\n\n${page}\n\nVisit the help ${center} to learn how ${organizations} rate the ${behavior} of users.`
    const american = terms('center', 'organizations', 'behavior')
    expect(doubtsOf(american, terms('centre', 'organisations and shops', 'behaviour'))).toContain('another region')
    const dated = (day: number) => `Updated on March ${day}, 2026`
    const british = terms('centre', 'organisations and shops', 'behaviour', dated(2))
    expect(doubtsOf(terms('center', 'organizations', 'behavior', dated(1)), british)).toEqual([])
  })

  it('a page that writes the day of its date on the other side of the month is one for another region', () => {
    const terms = (date: string, clause: string) => `# Terms of Use\n\n${date}\n\n${page}\n\n${clause}`
    const american = terms('Effective March 2, 2026', 'You agree not to resell the services.')
    const doubts = (date: string) => doubtsOf(american, terms(date, 'You agree that you will not resell the services.'))
    expect(doubts('Effective from 2 March 2026')).toEqual(['another region'])
    for (const date of ['Effective from 3 March 2026', 'Effective: March 2nd, 2026', 'Effective 2026-03-02'])
      expect(doubts(date)).toEqual([])
  })
})
