import { describe, expect, it } from 'vitest'
import { classify, differenceOf, normalForm, reviewReasons } from './read.ts'
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
const LANGUAGES = ['English (U.S.)', 'Español', 'Deutsch', 'Français', 'Italiano']
const editions = (names: string[]) =>
  withPart(`| Page | Link |\n| --- | --- |\n${names.map((name) => `| ${name} | Policy |`).join('\n')}`)
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
    ['a sign that went', said('The rate is -5 percent.'), said('The rate is 5 percent.')],
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
      'a bar of the site',
      TERMS,
      `Stay organized with collections\n\nSave and categorize content based on your preferences.\n\n${TERMS}`,
    ],
    [
      'a bar of the site in one line',
      TERMS,
      `Stay organized with collections Save and categorize content based on your preferences.\n\n${TERMS}`,
    ],
    [
      'a consent window in German',
      TERMS,
      `${TERMS}\n\nWir verwenden Cookies, um unsere Website zu verbessern.\n\nAlle akzeptieren Alle ablehnen`,
    ],
    [
      'a consent window in French',
      TERMS,
      `${TERMS}\n\nNous utilisons des cookies pour améliorer notre site.\n\nTout accepter Tout refuser`,
    ],
    ['the text once more, for small screens', page, `${page}\n\n${page}`],
    [
      'each paragraph once more, for small screens',
      page,
      page
        .split('\n\n')
        .map((text) => `${text}\n\n${text}`)
        .join('\n\n'),
    ],
    ['grey for gray', said('The grey cheque is in the catalogue.'), said('The gray check is in the catalog.')],
    [
      'whilst for while',
      said('Whilst you use it, we store it towards the end.'),
      said('While you use it, we store it toward the end.'),
    ],
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
      'a summary that the site generates',
      TERMS,
      replaceIn(
        TERMS,
        '## 1.',
        '## AI-generated Key Takeaways\n\nThese terms require you to keep a password.\n\n## 1.',
      ),
    ],
    [
      'an index with page numbers',
      TERMS,
      `ARTICLE 1. ACCOUNT ................ 2\n\nARTICLE 2. CONTENT .............. 3\n\n${TERMS}`,
    ],
    [
      'an index whose links lead to parts of the page by its whole address',
      said('This notice answers the following questions:\n\nWhat do we collect?'),
      said(
        'This notice answers the following questions:\n\n- [What do we collect?](https://example.com/a#what)\n- [Who sees it?](https://example.com/a#who)\n- [How long?](https://example.com/a#how)\n- [Who are we?](https://example.com/a#we)\n\nWhat do we collect?',
      ),
    ],
    [
      'where a heading leads',
      said('It names the agreements that apply.\n\n### Who may use it\n\nThis part says who may use it.'),
      said('It names the agreements that apply.\n\n### [Who may use it](/who)\n\nThis part says who may use it.'),
    ],
    ['who wrote a page', TERMS, `${TERMS}\n\nA\n\nWritten by Adam S-R. Updated over a week ago`],
    [
      'an index without links and without the numbers of its headings',
      said('## 1 Fees\n\nYou pay them.\n\n## 2 Data of yours\n\nWe keep it.'),
      said('Fees\n\nData of yours\n\n## 1 Fees\n\nYou pay them.\n\n## 2 Data of yours\n\nWe keep it.'),
    ],
    [
      'an index whose titles are no headings',
      said('Scope\n\nThey apply to all.\n\nTerm\n\nThey have no end.\n\nLaw\n\nThe law applies.'),
      said(
        'Scope\n\nTerm\n\nLaw\n\nScope\n\nThey apply to all.\n\nTerm\n\nThey have no end.\n\nLaw\n\nThe law applies.',
      ),
    ],
    [
      'an index of which a title is longer in the text',
      said(
        'Scope\n\nThey apply to all.\n\nTerm and more\n\nThey end.\n\nLaw\n\nThe law applies.\n\nEnd\n\nIt is over.',
      ),
      said(
        'Scope\n\nTerm\n\nLaw\n\nEnd\n\nScope\n\nThey apply to all.\n\nTerm and more\n\nThey end.\n\nLaw\n\nThe law applies.\n\nEnd\n\nIt is over.',
      ),
    ],
    ['how many rated a page', `${TERMS}\n\n7 notes\n\nnoté 4 sur 5`, `${TERMS}\n\n12 notes\n\nnoté 3 sur 5`],
    ['a field of a form', TERMS, `${TERMS}\n\nLeave this field blank`],
    ['buttons that share a page', TERMS, `${TERMS}\n\nPartager la page\n\nPartager sur Facebook\n\nPartager par email`],
    ['a button for cookies', TERMS, `${TERMS}\n\nGérer mes choix pour les cookies`],
    ['dashes that draw', TERMS, `--- --- ---\n\n${TERMS}`],
    [
      'another label of a date in French, and the time that reading takes',
      `Publié 29/04/2021 Lecture 3 minutes\n\n${TERMS}`,
      `Publié le 29 avril 2021\n\n${TERMS}`,
    ],
    ['a heading twice', said('## Scope\n\nThey apply.'), said('## Scope\n\n## Scope\n\nThey apply.')],
    [
      'other pages of a help centre',
      TERMS,
      `${TERMS}\n\n### Related articles\n\nFood\n\nHosting is fun, and some rules apply to it.\n\nTours\n\nFind out how to guide.`,
    ],
    [
      'a menu of questions, whose answers are elsewhere',
      TERMS,
      replaceIn(TERMS, 'Welcome', 'Report a copy\n\nWhat is copyright?\n\nI have a different question\n\nWelcome'),
    ],
    [
      'an advertisement above the document',
      `199€ offerts sur votre création ! Appelez-nous au 01 76 41 08 93\n\n${TERMS}`,
      `100€ offerts sur votre création ! Appelez-nous au 01 76 41 08 93\n\n${TERMS}`,
    ],
    ['rows of languages to choose from', editions(LANGUAGES), editions([...LANGUAGES, 'Tiếng Việt', 'Indonesian'])],
    ['a button that prints', TERMS, `${TERMS}\n\nImprimer et enregistrer en format PDF`],
    ['a label in German', TERMS, `Inhaltsverzeichnis\n\n${TERMS}\n\nNach oben`],
    ['a label in French', TERMS, `Sommaire\n\n${TERMS}\n\nRetour en haut`],
    ['an index without links', TERMS, replaceIn(TERMS, 'Welcome', 'Your content\n\nPayment\n\nWelcome')],
    ['the time of a film', TERMS, `${TERMS}\n\n0:00 / 1:00`],
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

  it('the same page for another region is held', () => {
    const terms = (company: string, currency: string, region: string) =>
      `# Terms of Use\n\nThese terms apply to users in the ${region}.\n\nThey are an agreement with ${company}.\n\n${page}\n\nYou pay ${currency}20 a month to ${company}.`
    const american = terms('Example OpCo, LLC', '$', 'United States')
    const european = terms('Example Ireland Ltd', '€', 'European Economic Area')
    expect(reviewReasons(american, european)).toContain('another region')
    expect(reviewReasons(american, replaceIn(american, 'You pay $20', 'You pay $25'))).toEqual([])
  })
})
