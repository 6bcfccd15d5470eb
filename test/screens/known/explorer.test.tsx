import '../light-dom.ts'
import type { QueryClient } from '@tanstack/react-query'
import { fireEvent } from '@testing-library/dom'
import { expect, it, onTestFinished } from 'vitest'
import { type PackedPrices, pricesQuery } from '../../../src/web/api/prices.ts'
import { compareWithGolden, walk } from '../check-screen.ts'
import { daysAgo, hoursAgo, knownScreens } from './known.ts'

const { openKnown, shownOf } = knownScreens()

type Kind = PackedPrices['kinds'][number]
const million = { unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6, per: 'million tokens' }
const hour = { ...million, unit: 'usd_per_hour', places: 0, per: 'GPU hour' }
const KINDS: Kind[] = [
  { ...million, dimension: 'input_tokens' },
  { ...million, dimension: 'output_tokens' },
  { ...million, dimension: 'cache_read_tokens' },
  { ...million, dimension: 'cache_write_tokens' },
  { ...million, dimension: 'input_tokens', tier: { context: '>200000' } },
  { ...million, dimension: 'output_tokens', tier: { context: '>200000' } },
  { ...million, dimension: 'input_tokens', tier: { context: '>32000' } },
  { ...million, dimension: 'input_audio_tokens' },
  { ...million, dimension: 'input_tokens', currency: 'EUR' },
  { ...million, dimension: 'input_tokens', tier: { service: 'batch' } },
  { ...hour, dimension: 'gpu_hours', tier: { region: 'eu' } },
  { ...hour, dimension: 'gpu_hours', tier: { region: 'us', service: 'spot' } },
  {
    ...hour,
    dimension: 'instance_hours',
    tier: { region: 'eu', term: '1 year' },
    gpu: 'H100',
    gpus: 8,
    per: 'instance hour',
  },
  { ...hour, dimension: 'vcpu_hours', per: 'vCPU hour' },
  {
    ...hour,
    dimension: 'instance_hours',
    currency: 'EUR',
    tier: { region: 'eu', service: 'dedicated' },
    gpu: 'H100',
    gpus: 8,
    per: 'instance hour',
  },
]
const sold = (provider: string, resource: string, model: number, prices: (number | string)[], more: object = {}) => ({
  provider,
  resource,
  source: 'list',
  model,
  prices,
  ...more,
})
const PACKED: PackedPrices = {
  ...{ asOf: hoursAgo(0), newest: hoursAgo(1), first: daysAgo(400), finalFrom: '2026-01-01T12:34:00.000Z', rows: 12 },
  ...{
    providers: { acme: 'Acme', other: 'Other', credits: 'Credits', cloud: 'Cloud' },
    creditProviders: ['credits'],
    kinds: KINDS,
  },
  instants: [daysAgo(9), daysAgo(3), '2027-01-01T00:00:00.000Z'],
  models: [
    { name: 'gpt', group: 'g1', maker: 'acme' },
    { name: 'mini', maker: 'unknown' },
    { name: 'lone' },
    { name: 'machines' },
    { name: 'pair' },
  ],
  facts: [
    { context: 200_000, output: 8_000, released: '2025-08' },
    { context: 128_000, released: '2025-07' },
  ],
  resources: [
    sold(
      'acme',
      'gpt',
      0,
      [
        0,
        '0.000002',
        0,
        1,
        '0.000008',
        1,
        2,
        '0.0000002',
        0,
        3,
        '0.0000025',
        0,
        4,
        '0.000004',
        0,
        5,
        '0.000016',
        0,
        6,
        '0.000003',
        0,
      ],
      { facts: 0, confirmedBy: 'provider', upcoming: [1, '0.000009', 2] },
    ),
    sold('other', 'gpt-other', 0, [0, '0.0000015', 0, 1, '0.00001', 0, 7, '0.00001', 0], {
      facts: 1,
      confirmedBy: 'independent',
    }),
    sold('acme', 'mini', 1, [0, '0.000001', 0, 9, '0.0000005', 0], { confirmedBy: 'independent' }),
    sold('other', 'lone', 2, [8, '0.0000011', 0]),
    sold('acme', 'pair-a', 4, [0, '0.000003', 0]),
    sold('acme', 'pair-b', 4, [0, '0.000004', 1]),
    sold('cloud', 'H100', 3, [10, '2.5', 0, 11, '1.25', 0]),
    sold('cloud', 'p5.48xlarge', 3, [12, '17', 1, 14, '19', 1]),
    sold('cloud', 'vCPU', 3, [13, '0.05', 0]),
  ],
} as PackedPrices

type Fixture = { asOf?: string; named?: string; packed?: PackedPrices }
const explorer =
  (search = '', { asOf, named, packed = PACKED }: Fixture = {}) =>
  () =>
    openKnown(`/prices${search}`, (queryClient: QueryClient) => {
      queryClient.setQueryData(pricesQuery(asOf, named).queryKey, packed)
      queryClient.setQueryData(pricesQuery(undefined, undefined).queryKey, packed)
    })
const NOTHING = { ...PACKED, resources: [], kinds: [], rows: 0 }
const COLUMNS = encodeURIComponent(
  JSON.stringify([
    'model',
    'maker',
    'seller',
    'cacheWrite',
    'context',
    'window',
    'limit',
    'released',
    'since',
    'audio',
    'image',
    'count',
    'source',
  ]),
)
const asOf = daysAgo(50)

it('prices of models and machines, narrowed and in each order', async () => {
  const shown = await shownOf({
    all: explorer(),
    'other columns': explorer(`?columns=${COLUMNS}`),
    'each seller, by input, the dearest first': explorer('?tab=sellers&sort=-input'),
    'by an unknown column': explorer('?sort=nothing'),
    'by the cost of few requests': explorer('?sort=cost&tokens=1000,0,0,100,0&requests=1'),
    'of a seller': explorer('?providers=["acme"]'),
    'of a seller who prices in credits': explorer('?providers=["credits"]', { named: 'credits' }),
    'with an ability': explorer('?abilities=["Long%20context"]'),
    'with a context of 200,000': explorer('?context=200000'),
    'with a word': explorer('?q=OTHER%20gpt'),
    'with a word that nothing has': explorer('?q=nothing'),
    'six are chosen': explorer('?tab=sellers&chosen=["a","b","c","d","e","acme%0Amini%0Alist"]'),
    'machines, and how long': explorer('?tab=machines&columns=["gpu","since","source"]&sort=perGpu'),
    'no models yet': explorer('', { packed: NOTHING }),
    'no machines yet': explorer('?tab=machines', { packed: NOTHING }),
    'nothing at an instant': explorer(`?asOf=${asOf}`, { asOf, packed: NOTHING }),
  })
  await compareWithGolden('explorer', shown)
})

it('names are ordered without regard to capital letters', async () => {
  const packed = {
    ...PACKED,
    providers: { acme: 'Zeta', other: 'alpha', cloud: 'Middle' },
    resources: [
      ...['acme', 'other', 'cloud'].map((provider) => sold(provider, `of-${provider}`, 2, [0, '0.000002', 0])),
      ...['a10', 'H100', 'b200'].map((name) => sold('cloud', name, 3, [10, '2.5', 0])),
    ],
  } as PackedPrices
  const orderOf = async (search: string, names: RegExp) => {
    const screen = await explorer(search, { packed })()
    const found = new Set(screen.text().match(names))
    screen.close()
    return [...found]
  }
  const sellers = /\b(Zeta|alpha|Middle)\b/g
  expect(await orderOf('?tab=sellers&sort=seller&columns=["seller"]', sellers)).toEqual(['alpha', 'Middle', 'Zeta'])
  expect(await orderOf('?tab=machines&sort=gpu&columns=["gpu"]', /\b(a10|b200|H100)(?= <)/g)).toEqual([
    'a10',
    'b200',
    'H100',
  ])
})

it('what is opened, chosen and taken away', async () => {
  const parts = await walk(
    await explorer()(),
    [
      'Sellers of gpt',
      { tick: 'Compare gpt at Acme' },
      { tick: 'Compare gpt-other at Other' },
      { tick: 'Compare gpt at Acme' },
      'Clear',
      'Sellers of gpt',
      'Input',
      'Input',
    ].slice(0, 6),
  )
  parts.push(...(await walk(await explorer('?tab=machines')(), ['Sellers of H100'])))
  parts.push(
    ...(
      await walk(await explorer('?providers=["acme"]')(), ['Export', 'Download CSV', 'Export', 'Show the request'])
    ).slice(1),
  )
  await compareWithGolden('chosen', parts)
})

it('prices on a narrow screen', async () => {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: { width: number }) => void } }
  happyDOM.setViewport({ width: 600 })
  onTestFinished(() => happyDOM.setViewport({ width: 1024 }))
  const shown = await walk(await explorer('?context=128000&columns=["input","since"]')(), ['Filters (1)', 'Columns'])
  shown.push(...(await walk(await explorer('?tab=machines')(), ['Filters', 'Columns'])))
  shown.push(...(await walk(await explorer()(), [])))
  await compareWithGolden('narrow', shown)
})

it('what narrows and orders prices, which is in their address', async () => {
  const narrowed = await openKnown('/prices', (queryClient: QueryClient) => {
    queryClient.setQueryData(pricesQuery(undefined, undefined).queryKey, PACKED)
    queryClient.setQueryData(pricesQuery(undefined, undefined, 'provider').queryKey, PACKED)
    queryClient.setQueryData(pricesQuery(undefined, 'acme,credits', 'provider').queryKey, PACKED)
  })
  const steps: Parameters<typeof walk>[1] = [
    ...[{ tick: 'Confirmed by' }, 'Confirmed by the provider', { tick: 'Abilities' }, 'Caching', { key: 'Escape' }],
    ...[{ tick: 'Context window' }, 'Context of 128K or more', { tick: 'Order' }, 'Newest first'],
    ...['Export', 'Show the request', { key: 'Escape' }],
    ...[{ tick: 'Order' }, 'Most sellers first', { tick: 'Order' }, 'Most sellers first'],
    ...[{ tick: 'Machines' }, { tick: 'Models' }],
  ]
  const shown = (await walk(narrowed, steps)).slice(1)
  const sellers = await explorer()()
  // The tab of the rows of sellers has the same name.
  fireEvent.click(document.querySelector('input[aria-haspopup][aria-label=Sellers]')!)
  shown.push(...(await walk(sellers, ['Acme', 'Credits (prices in credits)'])).slice(1))
  await compareWithGolden('narrowed', shown)
})
