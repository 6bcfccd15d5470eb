import { describe, expect, it } from 'vitest'
import { changesBetween } from '../../../src/terms/compare/changes-rules.ts'
import { classify as classifyTexts } from '../../../src/terms/compare/classify-rules.ts'
import { readText } from '../../../src/terms/normalize/normal-form-rules.ts'

const END = 'You keep all rights in what you send to us.'
const START = ['## Rules', 'We keep what you send to us.', 'It rains here.', 'It snows there.']

function classify(before: string[], after: string[]) {
  const [a, b] = [before, after].map((parts) => readText([...parts, END].join('\n\n')))
  return classifyTexts(a!, b!, changesBetween(a!, b!))
}
/** How it is classified when these parts come, and when they go. */
const alone = (...parts: string[]) => [
  classify(START, [...START, ...parts]),
  classify([...START, ...parts], START),
  classify([...START, '## Law'], [...START, ...parts, '## Law']),
]

describe('a clause that was added or removed is a change', () => {
  it.each([
    'If we update this Policy, we will notify you by email at least 30 days in advance.',
    'We will notify you when the new version of these terms takes effect on 1 June 2026.',
    'Wir haben das Recht, diesen Vertrag mit einer Frist von 30 Tagen zu kündigen.',
    'These Terms take effect when you create an account and remain in force until terminated.',
    'These Terms take effect on 1 June 2026 and remain in force until terminated.',
    'We update this Policy from time to time.',
    'The prior version of this DPA, available here, applies to customers who signed before 2026.',
    'All sales are final',
    'Your inputs train our models',
    'Sin reembolsos',
    'Gewährleistung ausgeschlossen',
    'Remboursement exclu',
    'Sans garantie',
    '概不退款',
    '返品不可',
    'Opt-out deadline: 31 March 2026',
    'Valid until 31 December 2026',
  ])('%s', (text) => {
    expect(alone(text)).not.toContain('cosmetic')
  })

  it('as a question with its answer, and as an answer alone', () => {
    const question = 'Can I get a refund?'
    expect(alone(question, 'Within store credit only')).not.toContain('cosmetic')
    expect(classify([...START, question], [...START, question, 'Within store credit'])).not.toBe('cosmetic')
  })
})

describe('a part among others of its shape is a change', () => {
  const uses = ['## Weapons', 'Building or selling weapons', '## Malware', 'Writing malware', '## Fraud', 'Lying']
  const added = ['## Gambling', 'Running online casinos']

  it.each([0, 2, 4, 6])('as a use that is prohibited, before line %i', (at) => {
    const more = [...uses.slice(0, at), ...added, ...uses.slice(at)]
    for (const [above, below] of [
      [START, [END]],
      [START, []],
      [[], []],
    ]) {
      const [a, b] = [uses, more].map((parts) => readText([...above!, ...parts, ...below!].join('\n\n')))
      expect(classifyTexts(a!, b!, changesBetween(a!, b!))).not.toBe('cosmetic')
      expect(classifyTexts(b!, a!, changesBetween(b!, a!))).not.toBe('cosmetic')
    }
  })

  it.each([
    ['below another', ['### Adyen', 'Payment processing']],
    ['below a sentence', ['We work with a few companies.']],
  ])('as the card of a company at the end, %s', (_what, cards) => {
    const text = (...parts: string[]) => readText([...START, ...cards, ...parts].join('\n\n'))
    const [a, b] = [text(), text('### Stripe', 'Payment processing')]
    expect(classifyTexts(a, b, changesBetween(a, b))).not.toBe('cosmetic')
    expect(classifyTexts(b, a, changesBetween(b, a))).not.toBe('cosmetic')
  })
})

describe('a date that is more than the date of the document', () => {
  const table = (...rows: string[]) => ['| Name | Place | Since |', '| - | - | - |', ...rows].join('\n')
  const [cloudflare, fastly] = ['| Cloudflare, Inc. | USA | 1 May 2024 |', '| Fastly, Inc. | USA | 1 May 2024 |']
  const other = '| Example Ltd | UK | 3 May 2024 |'

  it('is a change in a row that came, went or has another name', () => {
    expect(classify([...START, table(other, cloudflare)], [...START, table(other)])).toBe('substantive')
    expect(classify([...START, table(other)], [...START, table(other, cloudflare)])).toBe('substantive')
    expect(classify([...START, table(other, cloudflare)], [...START, table(other, fastly)])).toBe('substantive')
    const moved = cloudflare.replace('1 May', '2 May')
    expect(classify([...START, table(other, cloudflare)], [...START, table(other, moved)])).toBe('dates')
  })

  it('is a change with another label', () => {
    const line = (text: string) => [...START, text]
    expect(classify(line('Opt-out deadline: 31 March 2026'), line('Renewal deadline: 31 March 2026'))).toBe('minor')
    expect(classify(line('Opt-out deadline: 31 March 2026'), line('Opt-out deadline: 30 April 2026'))).toBe('dates')
    expect(classify(line('Updated 31 March 2026'), line('Last updated on 30 April 2026 at 8:19 PM'))).toBe('dates')
  })

  it('is a change as a month that moves', () => {
    const ends = (date: string) => [...START, `Support for API v1 ends in ${date}.`]
    expect(classify(ends('June 2026'), ends('August 2026'))).toBe('dates')
    const entry = (date: string) => [...START, date]
    expect(classify(entry('15. Januar 2026'), entry('1. März 2026'))).toBe('dates')
  })
})

describe('Japanese and Chinese beside a question mark', () => {
  it.each([
    ['that came', [], ['データは第三者に提供されますか？広告のために提供されます。']],
    ['that is reworded', ['退会できますか？いつでも退会できます。'], ['退会はできません。']],
    ['whose answer is reworded', ['退会できますか？いつでも退会できます。'], ['退会できますか？退会はできません。']],
    ['in Chinese', ['可以退款吗？可以退款。'], ['一律不予退款。']],
  ])('is a change: a line %s', (_what, before, after) => {
    expect(classify([...START, ...before], [...START, ...after])).not.toBe('cosmetic')
    expect(classify([...START, ...after], [...START, ...before])).not.toBe('cosmetic')
  })
})

describe('an entry that moved to another list is a change', () => {
  const entry = '- Use output to train models'
  const lists = (one: string[], other: string[], below = '\n\n') => [
    '## Use',
    ['You may:', one.join('\n')].join(below),
    ['You may not:', other.join('\n')].join(below),
  ]

  it('below another line that introduces it', () => {
    const [a, b] = [
      lists(['- Write', '- Read', entry], ['- Sell it', '- Copy it']),
      lists(['- Write', '- Read'], ['- Sell it', '- Copy it', entry]),
    ]
    expect([classify(a, b), classify(b, a)]).toEqual(['substantive', 'substantive'])
  })

  it('though the line moved that introduces the list', () => {
    const [a, b] = [lists(['- Write', entry], ['- Sell it']), lists(['- Write'], [entry, '- Sell it'])]
    expect([classify(a, b), classify(b, a)]).toEqual(['substantive', 'substantive'])
    const swapped = [a[0]!, a[1]!.replace('You may:', 'You may not:'), a[2]!.replace('You may not:', 'You may:')]
    expect([classify(a, swapped), classify(swapped, a)]).toEqual(['substantive', 'substantive'])
  })

  it('in another section, as a row too', () => {
    const sections = (one: string, other: string) => ['## Data we do not sell', one, '## Data we sell', other]
    const items = [
      sections('- Names\n- Places\n- Health', '- Clicks\n- Views'),
      sections('- Names\n- Places', '- Clicks\n- Views\n- Health'),
    ] as const
    expect([classify(...items), classify(items[1], items[0])]).toEqual(['substantive', 'substantive'])
    const table = (...names: string[]) =>
      ['| Kind | Use |', '| - | - |', ...names.map((name) => `| ${name} | Ads |`)].join('\n')
    const rows = [
      sections(table('Names', 'Places', 'Health'), table('Clicks', 'Views')),
      sections(table('Names', 'Places'), table('Clicks', 'Views', 'Health')),
    ] as const
    expect([classify(...rows), classify(rows[1], rows[0])]).toEqual(['substantive', 'substantive'])
    const tables = (one: string, other: string) => ['## Data', 'We do not sell:', one, 'We sell:', other]
    const [a, b] = [
      tables(table('Names', 'Places', 'Health'), table('Clicks', 'Views')),
      tables(table('Names', 'Places'), table('Clicks', 'Views', 'Health')),
    ]
    expect([classify(a, b), classify(b, a)]).toEqual(['substantive', 'substantive'])
  })

  it('but not when its list moved, or was introduced otherwise', () => {
    const [a, b] = [lists(['- Write', entry], ['- Sell it']), lists(['- Write', entry], ['- Sell it'])]
    expect(classify(a, [b[0]!, b[2]!, b[1]!])).toBe('cosmetic')
    expect(
      classify(a, [
        b[0]!,
        b[1]!.replace('- Write\n- Use output to train models', '- Use output to train models\n- Write'),
        b[2]!,
      ]),
    ).toBe('cosmetic')
    expect(classify(a, [b[0]!, b[1]!.replace('You may:', 'YOU MAY:'), b[2]!])).toBe('cosmetic')
  })
})

describe('entries between paragraphs are the list of the one above', () => {
  it.each([['- Data sold', '- Accounts closed'], ['- Access denied', '- Account closed'], ['- Biometrics']])(
    '%s',
    (...entries) => {
      expect(classifyBetween(entries)).not.toContain('cosmetic')
    },
  )
})

/** How it is classified when these entries come, and when they go. */
function classifyBetween(entries: string[]) {
  const [a, b] = [
    [...START, END],
    [...START, ...entries, END],
  ].map((parts) => readText(parts.join('\n\n')))
  return [classifyTexts(a!, b!, changesBetween(a!, b!)), classifyTexts(b!, a!, changesBetween(b!, a!))]
}
