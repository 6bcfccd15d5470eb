import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { waitFor } from '@testing-library/dom'
import { expect, it } from 'vitest'
import { feedQuery } from '../../../src/web/api/feed.ts'
import { type Series, type SeriesRow, seriesQuery } from '../../../src/web/api/prices.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { dayIn, daysAgo, hoursAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

const line = {
  provider: 'acme',
  resource: 'gpt',
  listed: 'gpt',
  source: 'list',
  dimension: 'input_tokens',
  unit: 'usd_per_token',
  currency: 'USD',
  tier: {},
  places: 6,
  per: 'million tokens',
}
/** Rows of one instant are in the order of the answer. */
const twentyDaysAgo = daysAgo(20)
const row = (hash: string, price: string, more: Partial<SeriesRow> = {}): SeriesRow => ({
  ...{
    ...line,
    price,
    recordedAt: twentyDaysAgo,
    contentHash: hash,
    publishedAt: twentyDaysAgo,
    unpublishedAt: null,
    status: 'auto_approved',
  },
  ...{
    reason: null,
    effectiveFrom: null,
    snapshotHash: null,
    locator: null,
    contradicted: null,
    confirmation: null,
    ...more,
  },
})
const agree = (...ranks: ('provider' | 'verified' | 'community')[]) => ({
  agree: ranks.map((rank, n) => ({ source: `list-${n}`, rank })),
  disagree: [],
})
const batch = { tier: { service: 'batch' } }
const ROWS = [
  row('r1', '0.000002', {
    publishedAt: daysAgo(30),
    recordedAt: daysAgo(30),
    unpublishedAt: twentyDaysAgo,
    resource: 'gpt-old',
    status: 'removed',
  }),
  row('r2', '0.0000025', {
    confirmation: { confirmedAt: hoursAgo(3), confirmedBy: agree('provider') },
    effectiveFrom: dayIn(-7),
    publishedAt: twentyDaysAgo,
  }),
  row('r3', '0.000001', {
    ...batch,
    contradicted: { price: '0.000002', sources: ['a', 'b'], since: daysAgo(3), isDecided: true },
  }),
  row('r4', '0.0000009', { ...batch, source: 'second', confirmation: { confirmedBy: agree('verified') } }),
  row('r5', '0.000008', {
    dimension: 'output_tokens',
    publishedAt: hoursAgo(0),
    contradicted: { price: '0.000009', sources: ['a'], since: daysAgo(3), isDecided: false },
  }),
  row('r6', '0.000009', {
    dimension: 'output_tokens',
    status: 'withdrawn',
    reason: 'Misread.',
    unpublishedAt: daysAgo(10),
  }),
  row('r7', '0.0000002', { dimension: 'cache_read_tokens', unpublishedAt: daysAgo(2) }),
  row('r8', '3', {
    dimension: 'images',
    unit: 'usd_per_image',
    currency: 'EUR',
    places: 0,
    per: 'image',
    confirmation: { confirmedAt: hoursAgo(3) },
  }),
]
const next = (dimension: string, more: object = {}) => ({
  ...line,
  dimension,
  price: '0.000003',
  beginsAt: '2027-01-01T00:00:00.000Z',
  effectiveFrom: '2027-01-01',
  announcedAt: daysAgo(3),
  ...more,
})
const SERIES: Series = {
  ...{
    asOf: hoursAgo(0),
    newest: hoursAgo(1),
    first: daysAgo(400),
    finalFrom: '2026-01-01T12:34:00.000Z',
    providers: { acme: 'Acme', other: 'Other' },
  },
  ...{ groups: [{ id: 'g1', name: 'GPT' }], members: [], rows: ROWS, credits: [], leftOut: 1_234 },
  renamings: [{ provider: 'acme', from: 'gpt-old', to: 'gpt', at: daysAgo(20) }],
  upcoming: [
    next('input_tokens'),
    next('output_tokens', { tier: { service: 'batch' } }),
    next('input_tokens', batch),
    next('video_seconds', { places: 0, per: 'second' }),
  ],
  facts: [
    { provider: 'acme', resource: 'gpt', fact: 'context', value: '200000', source: 'list', statedSince: daysAgo(3) },
    { provider: 'acme', resource: 'gpt', fact: 'output', value: '8000', source: 'list', statedSince: daysAgo(3) },
  ],
} as Series
const other = (resource: string, input: string, output: string, more: Partial<SeriesRow> = {}) =>
  [
    ['input_tokens', input],
    ['output_tokens', output],
  ].map(([dimension, price], n) =>
    row(`${resource}-${n}`, price!, { provider: 'other', resource, listed: resource, dimension: dimension!, ...more }),
  )
const GROUP = {
  ...SERIES,
  group: { id: 'g1', name: 'GPT' },
  members: [
    { provider: 'acme', resource: 'gpt' },
    { provider: 'other', resource: 'gpt' },
    { provider: 'other', resource: 'none' },
  ],
  rows: [...ROWS, ...other('gpt', '0.000001', '0.00001'), ...other('cheap', '0.0000005', '0.000002')],
}

const NAMES = [
  ['acme', 'gpt'],
  ['acme', 'gpt-a'],
  ['other', 'gpt'],
  ['other', 'gpt-b'],
  ['other', 'gpt-c'],
] as const

const resource =
  (more: Partial<Series>, search = '', of: Partial<Series> = GROUP, events: object = { items: [] }) =>
  () =>
    openKnown(`/prices/acme/gpt${search}`, (queryClient: QueryClient) => {
      queryClient.setQueryData(seriesQuery({ asOf: undefined, resources: [['acme', 'gpt']] }).queryKey, {
        ...SERIES,
        ...more,
      })
      queryClient.setQueryData(seriesQuery({ asOf: undefined, group: 'g1' }).queryKey, of as Series)
      queryClient.setQueryData(
        feedQuery({ providers: 'acme', resource: 'gpt', asOf: undefined, limit: '50' }).queryKey,
        events as never,
      )
    })

it('a model with doubt, other tiers, gaps, announced prices and former names', async () => {
  const shown = await shownOf({
    all: resource({}),
    'no longer listed': resource({
      rows: ROWS.map((one) => ({ ...one, unpublishedAt: daysAgo(1) })),
      upcoming: [],
      groups: [],
      leftOut: 0,
      finalFrom: undefined,
    } as never),
    'prices in two units of one currency': resource({
      rows: [ROWS[1]!, row('r10', '0.04', { dimension: 'output_images', places: 0, per: 'image' })],
    }),
    'no prices': resource({ rows: [], upcoming: [], facts: [] }),
    'several withdrawn, and more events': resource(
      { rows: [...ROWS, row('r9', '1', { status: 'withdrawn' })] },
      '',
      GROUP,
      { items: [], next: '5' },
    ),
    'sellers under several names': resource({}, '', {
      ...GROUP,
      members: NAMES.map(([provider, name]) => ({ provider, resource: name })),
      rows: NAMES.flatMap(([provider, name], n) => other(name, `0.00000${n + 1}`, '0.00001', { provider })),
    }),
  })
  shown.push(...(await walk(await resource({})(), ['Export', 'Download CSV', 'Export', 'Show the request'])).slice(1))
  await compareWithGolden('model', shown)
})

const OF = encodeURIComponent(
  JSON.stringify([
    ['acme', 'gpt'],
    ['other', 'gpt'],
    ['other', 'none'],
  ]),
)
const chosen =
  (series: Partial<Series>, search = '') =>
  () =>
    openKnown(`/compare?of=${OF}${search}`, (queryClient: QueryClient) => {
      const resources: [string, string][] = [
        ['acme', 'gpt'],
        ['other', 'gpt'],
        ['other', 'none'],
      ]
      queryClient.setQueryData(seriesQuery({ asOf: undefined, resources }).queryKey, {
        ...GROUP,
        group: undefined,
        ...series,
      } as Series)
    })
const machines = ['eu', 'us'].map((region, n) =>
  row(`m${n}`, `${n + 2}`, {
    provider: 'other',
    resource: 'none',
    listed: 'none',
    dimension: 'gpu_hours',
    unit: 'usd_per_hour',
    places: 0,
    per: 'GPU hour',
    tier: { region },
  }),
)

it('what is compared', async () => {
  const seven = Array.from({ length: 7 }, (_, n) => other(`gpt-${n}`, `0.00000${n + 1}`, '0.00001'))
  const shown = await shownOf({
    'nothing chosen': () => openKnown('/compare'),
    'a group': () =>
      openKnown('/compare/g1?tokens=1000,0,0,100,0&requests=3', (queryClient) =>
        queryClient.setQueryData(seriesQuery({ asOf: undefined, group: 'g1' }).queryKey, GROUP as Series),
      ),
    chosen: chosen({}),
    'chosen, of another dimension': chosen({}, '&dimension=output_tokens'),
    'machines in two places': chosen({ rows: machines }),
    'nothing priced': chosen({ rows: [] }),
    'more lines than are drawn': () =>
      openKnown('/compare/g1', (queryClient) =>
        queryClient.setQueryData(seriesQuery({ asOf: undefined, group: 'g1' }).queryKey, {
          ...GROUP,
          members: seven.map(([one]) => ({ provider: one!.provider, resource: one!.resource })),
          rows: seven.flat(),
        } as Series),
      ),
  })
  await compareWithGolden('compared', shown)
})

it('which lines a comparison draws, which is in its address', async () => {
  const screen = await chosen({})()
  const opened: (string | null)[][] = []
  for (const label of ['Output', 'Acme', 'Acme', 'Input']) {
    await screen.tick(label)
    const { searchParams } = new URL(screen.address(), 'http://h')
    const lines = searchParams.get('lines')
    const sellers = lines && (JSON.parse(lines) as string[]).map((key) => (JSON.parse(key) as string[])[0]).join()
    opened.push([searchParams.get('dimension'), sellers])
  }
  screen.close()
  // Another dimension has other lines: those that were chosen are forgotten.
  expect(opened).toEqual([
    ['output_tokens', null],
    ['output_tokens', 'other'],
    ['output_tokens', 'other,acme'],
    ['input_tokens', null],
  ])
})

it('five kinds of prices are offered in a list, of which one is always chosen', async () => {
  const kinds = ['input_tokens', 'output_tokens', 'cache_read_tokens', 'cache_write_tokens', 'reasoning_tokens']
  const screen = await chosen({ rows: kinds.map((dimension) => row(dimension, '0.000001', { dimension })) })()
  await screen.tick('What is priced')
  expect(screen.offered()).toEqual(['Input', 'Output', 'Cache read', 'Cache write', 'Reasoning'])
  await screen.press('Cache write')
  const address = screen.address()
  expect(new URL(address, 'http://h').searchParams.get('dimension')).toBe('cache_write_tokens')
  expect(screen.text()).toContain('{What is priced: Cache write}')
  await screen.tick('What is priced')
  await screen.press('Cache write')
  expect(screen.address()).toBe(address)
  expect(screen.text()).toContain('{What is priced: Cache write}')
  screen.close()
})

it('a hundred sellers are listed, and the others counted', async () => {
  const rows = Array.from({ length: 103 }, (_, n) =>
    row(`s${n}`, `0.00000${100 + n}`, { provider: `seller-${n}`, resource: 'gpt', listed: 'gpt' }),
  )
  const members = rows.map(({ provider, resource }) => ({ provider, resource }))
  const screen = await resource({}, '', { ...GROUP, rows, members })()
  expect(screen.text()).toMatch(/^3 more are not listed here\.$/m)
  const named = (n: number) => screen.text().includes(`seller-${n} <`)
  expect([named(99), named(100)]).toEqual([true, false])
  screen.close()
})

it('a chart marks when a model got its name, and when a price was removed', async () => {
  const screen = await resource({})()
  const marks = () => [...document.querySelectorAll('.recharts-label')].map(({ textContent }) => textContent)
  const renamed = 'was gpt-old'
  await waitFor(() => expect(marks()).toEqual([renamed, renamed, renamed, 'removed', renamed]))
  screen.close()
})
