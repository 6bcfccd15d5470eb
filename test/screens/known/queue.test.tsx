import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { it } from 'vitest'
import {
  type ItemDetails,
  type ItemLine,
  type QueueItem,
  reviewItemQuery,
  reviewQuery,
} from '../../../src/web/api/operator.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { daysAgo, hoursAgo, knownScreens, session } from './known.ts'

const { openKnown, shownOf } = knownScreens()

const reason = (code: string, meaning = `${code}.`) => ({ code, name: code.replaceAll('_', ' '), meaning })
const item = (kind: QueueItem['kind'], more: Partial<QueueItem> = {}): QueueItem => ({
  ...{ id: kind, revision: 'r1', kind, provider: 'acme', source: 'list', reasons: [], openedAt: daysAgo(3) },
  ...{ question: `About ${kind}?`, endsBy: [], resources: ['gpt'], texts: [], rows: 1, ...more },
})
const line = (n: number, more: Partial<ItemLine> = {}): ItemLine => ({
  ...{
    contentHash: `l${n}`,
    resource: 'gpt',
    name: 'input tokens',
    unit: 'usd_per_token',
    perUnit: 'USD per million tokens',
  },
  ...{ price: '0.000002', publishedPrice: '0.000001', change: '+100%', reasons: [], facts: [], witnesses: [], ...more },
})
const NOTHING: ItemDetails = { lines: [], known: [], beside: [] }
const counts = {
  waiting: 2,
  kinds: [
    { value: 'price', count: 1_000 },
    { value: 'line_removal', count: 1 },
  ],
  providers: [{ value: '*', count: 1 }],
  sources: [{ value: 'list', count: 2 }],
  reasons: [{ value: 'power_of_ten', name: 'power of ten', count: 1 }],
}

type Fixture = { items: [QueueItem, Partial<ItemDetails>?][]; search?: string; filter?: object; matching?: number }
const queue =
  ({ items, search = '', filter = {}, matching = items.length }: Fixture) =>
  () =>
    openKnown(`/operator/review${search}`, (queryClient: QueryClient) => {
      queryClient.setQueryData(reviewQuery(filter).queryKey, {
        items: items.map(([one]) => one),
        matching,
        all: counts,
      })
      for (const [one, details] of items)
        queryClient.setQueryData(reviewItemQuery(one.id).queryKey, { ...NOTHING, item: one, ...details })
    })
const one = (shown: QueueItem, details: Partial<ItemDetails> = {}) => queue({ items: [[shown, details]] })

const neighbour = (name: string, price: string, more: object = {}) => ({
  ...{ source: 'list', provider: 'acme', resource: 'gpt', name, price, perUnit: 'USD', sameResource: true, ...more },
})
const beside = {
  ...{
    contentHash: 'b1',
    resource: 'gpt',
    dimension: 'input_tokens',
    snapshot: 's1',
    locator: '/models[3]',
    excerpt: '{"gpt":2}',
  },
  neighbours: [neighbour('output tokens', '8.5'), neighbour('', '7', { provider: 'other', sameResource: false })],
}
const known = (name: string, more: object = {}) => ({
  resource: 'gpt',
  name,
  price: '2',
  perUnit: 'USD',
  waits: false,
  ...more,
})
const difference = {
  ...{ before: 'v1', classification: 'substantive', wordsRemoved: 3, wordsAdded: 4, truncated: true },
  diff: '@@ -1 +1 @@\n-old\n+new\n\n same',
}
const document = {
  provider: 'acme',
  document: 'terms',
  title: 'Terms',
  url: 'https://acme.example/terms',
  text: 'The text.',
}
const closed = { decision: 'approved' as const, decidedAt: hoursAgo(2), decidedBy: 'ada', reason: 'Read twice.' }
const many = (n: number, text: string) => Array.from({ length: n }, (_, at) => `${text}-${at}`)
const LINES = [
  line(1, {
    facts: ['Both.', 'Own.'],
    reasons: ['Too high.'],
    witnesses: [
      { source: 'litellm', url: 'https://lists.example/' },
      { source: 'file', url: 'list.json' },
    ],
  }),
  line(2, { name: 'gpu hours', price: '0.0000005', change: '−50%', facts: ['Both.'], reasons: ['Too low.'] }),
  line(3, {
    name: 'output tokens',
    publishedPrice: undefined,
    change: undefined,
    facts: ['Both.'],
    listed: 'Listed in 2 fetches.',
  } as never),
]

it('an item of each kind, with what a decision needs', async () => {
  const shown = await shownOf({
    'one price with a reason': one(
      item('price', {
        question: 'gpt: 1 → 2',
        reasons: [reason('Odd'), reason('power_of_ten', 'A misread unit.')],
        endsBy: ['A witness ends it.'],
      }),
      { lines: LINES.slice(0, 1), beside: [beside] },
    ),
    'prices of a resource': one(item('price', { rows: 5, endsBy: ['A witness ends it.'] }), {
      lines: LINES,
      beside: [{ ...beside, locator: '/' }, { ...beside, contentHash: 'b2', snapshot: undefined } as never],
    }),
    'prices of several resources in several units': one(
      item('mass_change', { resources: ['gpt', 'mini'], rows: 1_100, provider: '*' }),
      {
        lines: [
          ...LINES,
          line(4, { resource: 'mini', perUnit: 'USD per hour', price: '0.000003', change: '+200%' }),
          line(5, { change: '+100%', facts: ['Both.'] }),
        ],
      },
    ),
    'a removal': one(item('removal', { resources: many(42, 'gone'), snapshot: 's1' }), {
      known: [
        known('input'),
        known('output', { ends: true, waits: true }),
        known('cached', { ends: false, price: '0.25' }),
      ],
    }),
    'a removal of four resources, three of them with prices': one(
      item('removal', { resources: ['one', 'two', 'three', 'without a price'] }),
      { known: ['one', 'two', 'three'].map((resource) => known('input', { resource })) },
    ),
    'a removal whose prices name all': one(item('removal', { resources: ['one', 'two', 'three'] }), {
      known: ['one', 'two', 'three'].map((resource) => known('input', { resource })),
    }),
    'missing prices': one(item('line_removal', { resources: ['gpt', 'mini'], texts: [] }), {
      known: [known('input', { ends: true }), known('output', { ends: true })],
    }),
    'what cannot be read': one(item('unreadable', { resources: ['gpt'], texts: many(3, 'text') })),
    'a renaming': one(item('rename', { resources: ['old', 'new', 'more'] })),
    'a snapshot': one(item('snapshot', { resources: [], snapshot: 's2' })),
    'a document': one(item('terms'), { document: { ...document, difference } }),
    'a document elsewhere, without a version in force': one(item('terms'), {
      document: { ...document, url: 'elsewhere' },
    }),
    'one that a person decided': one(item('price'), { closed }),
    'one that a command rejected': one(item('price'), {
      closed: { ...closed, decision: 'rejected', decidedBy: null, reason: null },
    }),
    'one that its source ended': one(item('price'), { closed: { ...closed, decision: 'superseded' } }),
    'nothing waits': queue({ items: [] }),
    'nothing matches': queue({
      items: [],
      search: '?kind=rename&provider=nowhere&olderThan=3d',
      filter: { kind: 'rename', provider: 'nowhere', olderThan: '3d' },
    }),
    'the first of many': queue({ items: [[item('price')], [item('removal')]], matching: 300 }),
    'someone who operates nothing': () =>
      openKnown('/operator/review', undefined, { ...session, account: { ...session.account, operator: false } }),
  })
  await compareWithGolden('items', shown)
})

it('the keys of items, and what stands in their way', async () => {
  const two = queue({
    items: [
      [item('price'), { lines: LINES }],
      [item('line_removal'), {}],
    ],
  })
  const steps = [
    ...[
      { key: 'd' },
      { key: 'e' },
      { key: 'e' },
      { field: /^Price of gpt, input tokens/, text: 'two' },
      'Publish these prices',
    ],
    ...[
      { field: /^Price of gpt, input tokens/, text: '3' },
      { key: 'a' },
      'Publish these prices',
      { key: 'a' },
      { key: 'd' },
      { key: 'u' },
      { key: 'u' },
      { key: 'u' },
    ],
  ]
  const parts = await walk(await two(), steps)
  parts.push(
    ...(await walk(
      await one(item('mass_change', { rows: 61 }), {
        lines: Array.from({ length: 61 }, (_, n) => line(n, { facts: n === 0 ? ['Own.'] : [] })),
      })(),
      ['What is known about gpt, input tokens', 'Show all 61 prices: they are decided together'],
    )),
  )
  await compareWithGolden('keys', parts)
})
