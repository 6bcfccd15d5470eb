import { describe, expect, it } from 'vitest'
import type { SeriesRow, UpcomingPrice } from '../../src/web/api/prices.ts'
import { shownDay } from '../../src/web/instants.ts'
import { filtered } from '../../src/web/pages/prices/explorer/filter.ts'
import { shownContext, shownPrice } from '../../src/web/pages/prices/money.ts'
import { chartPoints, linesOf } from '../../src/web/pages/prices/table/lines.ts'
import { unpack } from '../../src/web/pages/prices/table/unpack.ts'
import { requestFor } from '../../src/web/pages/prices/take-away/request.ts'

const OPTIONS = { asOf: '2026-01-01T00:00:00.000Z', current: true, origin: 'http://h' }
const line = (provider: string, resource: string, dimension = 'input_tokens') => ({ provider, resource, dimension })

describe('money as people read it', () => {
  it.each([
    ['0.0000025', 6, '2.50'],
    ['0.000000075', 6, '0.075'],
    ['0.0012', 6, '1,200.00'],
    ['0', 6, '0.00'],
    ['3', 6, '3,000,000.00'],
    ['1.5', 0, '1.50'],
    ['0.00000000000123', 6, '0.00000123'],
  ])('%s is exact when it is moved by %i places: %s', (price, places, shown) => {
    expect(shownPrice(price, places)).toBe(shown)
  })

  it('shows thresholds in few characters', () => {
    expect(['>200000', '>271999', '>1000000', 'odd'].map(shownContext)).toEqual(['> 200K', '> 272K', '> 1M', 'odd'])
  })
})

describe('the request of a view', () => {
  const all = [line('a', 'x'), line('a', 'y'), line('b', 'x'), line('a', 'x', 'gpu_hours')]

  it('names no more than it needs', () => {
    expect(requestFor(all, all, OPTIONS)).toMatchObject({
      url: 'http://h/v1/prices/history?asOf=2026-01-01T00:00:00.000Z&current=true&limit=10000',
      isExact: true,
    })
    expect(requestFor([all[0]!, all[1]!], all, OPTIONS).url).toContain('&providers=a&dimension=input_tokens&')
  })

  it('says when it returns more than is shown, and how much', () => {
    const crossed = [line('a', 'y'), line('b', 'x')]
    expect(requestFor(crossed, all, OPTIONS)).toMatchObject({ isExact: false, rows: 3 })
    const many = Array.from({ length: 60 }, (_, n) => line('a', `n${n}`))
    expect(requestFor(many, [...many, line('a', 'other')], OPTIONS)).toMatchObject({ isExact: false, rows: 61 })
  })

  it('names the providers that the page was asked for, each once, whatever it shows of them', () => {
    expect(requestFor(all, all, { ...OPTIONS, named: ['b c', 'a', 'b c'] }).url).toContain(
      '&current=true&providers=a,b%20c&limit=10000',
    )
  })

  it('quotes hostile names for a shell and for an address', () => {
    const { url } = requestFor([line('a', `'; rm -rf /&x=1`)], all.concat(line('a', `'; rm -rf /&x=1`)), OPTIONS)
    expect(url).toContain('resource=%27%3B%20rm%20-rf%20%2F%26x%3D1')
    expect(url).not.toContain("'")
  })
})

describe('rows of the explorer', () => {
  const kind = (dimension: string, tier = {}, places = 6) => ({
    ...{ dimension, unit: 'usd_per_token', currency: 'USD', tier, places, per: 'million tokens' },
  })
  const packed = {
    ...{
      asOf: '',
      newest: '',
      rows: 5,
      creditProviders: [],
      providers: { a: 'Seller A' },
      instants: ['2026-01-01', '2026-02-01'],
      facts: [],
    },
    kinds: [
      kind('input_tokens'),
      kind('output_tokens'),
      kind('input_tokens', { context: '>200000' }),
      { ...kind('gpu_hours', { region: 'eu', instance: 'big' }, 0), gpus: 8 },
      kind('gpu_hours', { region: 'eu', instance: 'big', service: 'spot' }, 0),
      { ...kind('instance_hours', { region: 'eu' }, 0), gpu: 'H100', gpus: 8 },
    ],
    models: [{ name: 'Model X', maker: 'a' }, { name: 'H100' }, { name: 'big' }],
    resources: [
      {
        provider: 'a',
        resource: 'Model X',
        source: 's',
        model: 0,
        prices: [0, '0.000002', 0, 1, '0.000004', 1, 2, '0.000003', 0],
      },
      { provider: 'a', resource: 'H100', source: 's', model: 1, prices: [3, '2', 0, 4, '1', 0] },
      { provider: 'a', resource: 'big', source: 's', model: 2, prices: [5, '16', 0] },
    ],
  }

  it('put the prices of a model beside each other, and a machine on demand beside the spot market', () => {
    const { models, machines } = unpack(packed)
    expect(models).toMatchObject([
      {
        resource: 'Model X',
        seller: 'Seller A',
        model: { id: 0, name: 'Model X', maker: 'Seller A' },
        input: { price: '0.000002' },
        since: '2026-02-01',
        abilities: ['Long context'],
      },
    ])
    expect(models[0]!.context).toMatchObject([{ above: '>200000', input: { price: '0.000003' } }])
    expect(machines).toMatchObject([
      { gpu: 'H100', machine: 'big', gpus: 8, region: 'eu', hourly: { shown: '16.00' }, spot: { shown: '8.00' } },
      { gpu: 'H100', machine: 'big', gpus: 8, region: 'eu', hourly: { shown: '16.00' }, perGpu: { shown: '2.00' } },
    ])
  })

  it('say which abilities a model has prices of', () => {
    const kinds = [
      ...['cache_read_tokens', 'input_audio_tokens', 'input_image_tokens', 'output_pixels', 'video_seconds'].map(
        (dimension) => kind(dimension),
      ),
      ...[{ service: 'batch' }, { timeOfDay: 'night' }, {}].map((tier) => kind('input_tokens', tier)),
    ]
    const resources = kinds.map((_, n) => ({
      ...{ provider: 'a', resource: `model ${n}`, source: 's', model: 0 },
      prices: [n, '1', 0],
    }))
    const all = { ...packed.resources[0]!, prices: kinds.flatMap((_, n) => [n, '1', 0]) }
    const { models } = unpack({ ...packed, kinds, resources: [...resources, all] })
    expect(models.map(({ abilities }) => abilities.join())).toEqual([
      ...['Caching', 'Audio', 'Images', 'Images', 'Video', 'Batch', 'Time of day', ''],
      'Caching,Audio,Images,Video,Batch,Time of day',
    ])
  })

  it('have every word of the search, one of the sellers and all abilities', () => {
    const { models } = unpack(packed)
    const found = (filter: object) => filtered(models, filter).length
    expect([found({ q: 'x MODEL' }), found({ q: 'seller' }), found({ q: 'model y' })]).toEqual([1, 1, 0])
    expect([
      found({ providers: ['b'] }),
      found({ abilities: ['Long context'] }),
      found({ abilities: ['Audio'] }),
    ]).toEqual([0, 1, 0])
  })
})

describe('a price through time', () => {
  const row = (price: string, publishedAt: string, unpublishedAt: string | null = null): SeriesRow => ({
    ...{ ...line('a', 'x'), listed: 'x', source: 's', unit: 'usd_per_token', currency: 'USD', tier: {}, places: 6 },
    ...{
      per: 'million tokens',
      price,
      recordedAt: publishedAt,
      publishedAt,
      unpublishedAt,
      contentHash: price + publishedAt,
    },
    ...{ status: 'approved', reason: null, effectiveFrom: null, snapshotHash: null, locator: null, contradicted: null },
    confirmation: null,
  })

  it('is the newest row that is served, goes back when that is withdrawn, and ends with the last one', () => {
    const [first] = linesOf([row('1', '2026-01', '2026-04'), row('2', '2026-02', '2026-03')])
    expect(first!.steps.map(({ at, row: found }) => [at, found?.price])).toEqual([
      ['2026-01', '1'],
      ['2026-02', '2'],
      ['2026-03', '1'],
      ['2026-04', undefined],
    ])
    expect(first!.current).toBeUndefined()
    expect(chartPoints([first!], '2026-05').map((point) => point.line0)).toEqual([1e6, 2e6, 1e6, 1e6, null, null])
  })

  it('has what is announced for its line, and a line that begins later has nothing else', () => {
    const { publishedAt: _, ...named } = row('1', '2026-01')
    const ahead = (more: object): UpcomingPrice => ({
      ...{ ...named, resource: 'x', price: '2', beginsAt: '2027-01-01T00:00:00.000Z', effectiveFrom: '2027-01-01' },
      announcedAt: '2026-11-01T00:00:00.000Z',
      ...more,
    })
    const batch = { service: 'batch' }
    const [known, begins] = linesOf([row('1', '2026-01')], [ahead({}), ahead({ tier: batch, price: '3' })])
    expect([known!.current?.price, known!.upcoming?.price]).toEqual(['1', '2'])
    expect([begins!.tier, begins!.steps, begins!.current, begins!.upcoming?.price]).toEqual([batch, [], undefined, '3'])
    expect(linesOf([row('1', '2026-01')])[0]).not.toHaveProperty('upcoming')
    expect(shownDay('2027-01-01T00:00:00.000Z')).toBe('1 Jan 2027')
    expect(shownDay('2026-12-31T17:30:00.000Z')).toBe('31 Dec 2026, 17:30 UTC')
  })

  it('has no step for a row that is withdrawn as wrong: neither that error nor its end was a change of the price', () => {
    const wrong = { ...row('1', '2026-02', '2026-03'), status: 'withdrawn' }
    const [corrected] = linesOf([row('10', '2026-01'), wrong, row('9', '2026-03')])
    expect(corrected!.steps.map(({ at, row: found }) => [at, found?.price])).toEqual([
      ['2026-01', '10'],
      ['2026-03', '9'],
    ])
    expect([corrected!.current?.price, corrected!.previous?.price]).toEqual(['9', '10'])
    const [none] = linesOf([wrong])
    expect([none!.steps, none!.current, none!.previous]).toEqual([[], undefined, undefined])
  })
})
