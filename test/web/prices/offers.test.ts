import { describe, expect, it } from 'vitest'
import type { SeriesRow } from '../../../src/web/api/prices.ts'
import { byKind } from '../../../src/web/pages/prices/explorer/kinds.ts'
import { columnLabel, hasCheapest, orderText } from '../../../src/web/pages/prices/resource/offer-texts.ts'
import { offersOf } from '../../../src/web/pages/prices/resource/offers.ts'
import { linesOf } from '../../../src/web/pages/prices/table/lines.ts'
import { isOf, rowParts } from '../../../src/web/pages/prices/table/row-key.ts'

let rows = 0
function row(provider: string, price: string, given: Partial<SeriesRow> = {}): SeriesRow {
  const at = given.recordedAt ?? '2026-01-01'
  rows += 1
  return {
    ...{ provider, resource: 'm', listed: 'm', source: 's', dimension: 'input_tokens', unit: 'usd_per_token' },
    ...{ currency: 'USD', tier: {}, places: 6, per: 'million tokens', price, recordedAt: at, publishedAt: at },
    ...{ unpublishedAt: null, contentHash: `h${rows}`, status: 'approved', reason: null, effectiveFrom: null },
    ...{ snapshotHash: null, locator: null, contradicted: null, confirmation: null },
    ...given,
  }
}
const output = (provider: string, price: string, given: Partial<SeriesRow> = {}) =>
  row(provider, price, { dimension: 'output_tokens', ...given })
const EUR = { unit: 'eur_per_token', currency: 'EUR' }
const HOUR = { dimension: 'instance_hours', unit: 'usd_per_instance_hour', places: 0, per: 'instance hour' }

function compare(given: SeriesRow[], chosen?: string[][]) {
  const pairs = new Map(given.map(({ provider, listed }) => [`${provider} ${listed}`, { provider, resource: listed }]))
  const series = { rows: given, members: [...pairs.values()], group: { id: 'g', name: 'g' } }
  return offersOf(chosen ? { ...series, group: undefined } : series, chosen)
}
/** The sellers in their order; those with a star are compared. */
const order = ({ offers }: ReturnType<typeof compare>) =>
  offers.map(({ provider, total }) => (total === undefined ? provider : `${provider}*`))

describe('what sellers ask', () => {
  it('is ordered by input and output together, exactly', () => {
    const found = compare([
      ...[row('a', '0.0000003'), output('a', '0.0000001')],
      ...[row('b', '0.0000002'), output('b', '0.0000001')],
      ...[row('c', '0.0000001'), output('c', '0.0000002')],
    ])
    expect(order(found)).toEqual(['b*', 'c*', 'a*'])
    expect(found.offers[0]!.total).toBe(found.offers[1]!.total)
    expect(found.comparedBy.map(({ dimension }) => dimension)).toEqual(['input_tokens', 'output_tokens'])
  })

  it('is in the currency that most ask, and in USD where as many ask another', () => {
    const [usd, eur, aud] = [
      row('a', '1'),
      row('b', '1', EUR),
      row('c', '1', { unit: 'aud_per_token', currency: 'AUD' }),
    ]
    const currencyOf = (...given: SeriesRow[]) => compare(given).columns.map(({ currency }) => currency)
    for (const other of [eur, aud])
      for (const given of [
        [usd, other],
        [other, usd],
      ])
        expect(currencyOf(...given)).toEqual(['USD'])
    expect(currencyOf(eur, aud)).toEqual(['AUD'])
    expect(currencyOf(usd, eur, row('d', '2', EUR))).toEqual(['EUR'])
  })

  it('does not take a price of another kind for the price: that one comes last', () => {
    const batch = row('cheap', '0.0000001', { tier: { service: 'batch' } })
    const image = row('other', '0.0000001', {
      dimension: 'output_images',
      unit: 'usd_per_image',
      per: 'image',
      places: 0,
    })
    const found = compare([batch, image, row('a', '2'), output('a', '2'), row('b', '1'), output('b', '1')])
    expect(order(found)).toEqual(['b*', 'a*', 'cheap', 'other'])
    expect(found.columns.map(({ dimension, per }) => [dimension, per])).toEqual([
      ['input_tokens', 'million tokens'],
      ['output_tokens', 'million tokens'],
      ['output_images', 'image'],
    ])
    expect(found.offers[2]!.prices).toEqual([undefined, undefined, undefined])
  })

  it('is never compared across currencies', () => {
    const found = compare([row('eu', '1', EUR), row('a', '3'), row('b', '2')])
    expect(order(found)).toEqual(['b*', 'a*', 'eu'])
    expect(found.offers[2]!.prices[0]!.currency).toBe('EUR')
    expect(order(compare([row('eu', '1', EUR), row('a', '3')]))).toEqual(['eu', 'a'])
  })

  it('is the newest of two sources, and the one in the usual currency', () => {
    const found = compare([
      ...[row('a', '9', { recordedAt: '2026-02-01' }), row('a', '1', { source: 'old' })],
      ...[row('b', '5'), row('b', '2', { ...EUR, source: 'euros', recordedAt: '2026-03-01' })],
    ])
    expect(order(found)).toEqual(['b*', 'a*'])
    expect(found.offers.map(({ prices }) => prices[0]!.current!.price)).toEqual(['5', '9'])
  })

  it('is compared by the first kind that two sellers share, and by none where none is shared', () => {
    const shared = compare([output('a', '2'), output('b', '1'), row('c', '1')])
    expect([order(shared), shared.comparedBy.map(({ dimension }) => dimension)]).toEqual([
      ['b*', 'a*', 'c'],
      ['output_tokens'],
    ])
    expect(order(compare([row('a', '1'), output('b', '1')]))).toEqual(['a', 'b'])
    expect(compare([row('a', '1')]).comparedBy).toEqual([])
  })

  it('leaves out what is not served any more, and names it', () => {
    const found = compare([row('a', '1', { unpublishedAt: '2026-02-01' }), row('b', '2')])
    expect([order(found), found.unpriced]).toEqual([['b'], [['a', 'm']]])
  })

  it('asks for nothing under a name that the seller gave up', () => {
    const rows = [row('a', '1', { resource: 'old', listed: 'new' }), row('a', '2', { resource: 'new', listed: 'new' })]
    const members = ['old', 'new', 'gone'].map((resource) => ({ provider: 'a', resource }))
    const found = offersOf({ rows, members, group: { id: 'g', name: 'g' } })
    expect(found.offers.map(({ resource, lines }) => [resource, lines.length])).toEqual([['new', 1]])
    expect(found.unpriced).toEqual([['a', 'gone']])
  })
})

describe('machines', () => {
  const inRegion = (region: string, price: string, given: Partial<SeriesRow> = {}) =>
    row('aws', price, { ...HOUR, ...given, tier: { region, ...given.tier } })
  const both = [
    inRegion('eu', '4'),
    inRegion('us', '3'),
    inRegion('us', '1', { tier: { service: 'spot' } }),
    inRegion('us', '2', { tier: { os: 'windows' } }),
  ]

  it('are offers of their own in each place, with the spot price in a column of its own', () => {
    const found = compare(both)
    expect(found.columns.map(({ dimension, isSpot, per }) => [dimension, isSpot, per])).toEqual([
      ['instance_hours', false, 'instance hour'],
      ['instance_hours', true, 'instance hour'],
    ])
    expect(
      found.offers.map(({ place, prices, total }) => [place, prices.map((line) => line?.current?.price), !total]),
    ).toEqual([
      [{ region: 'us' }, ['3', '1'], false],
      [{ region: 'eu' }, ['4', undefined], false],
      [{ region: 'us', os: 'windows' }, ['2', undefined], true],
    ])
  })

  it('of two names are compared only as members of a group', () => {
    const named = [inRegion('eu', '4', { listed: 'big' }), inRegion('eu', '1', { listed: 'small' })]
    const chosen = [
      ['aws', 'big'],
      ['aws', 'small'],
    ]
    expect(order(compare(named, chosen))).toEqual(['aws', 'aws'])
    expect(order(compare(named))).toEqual(['aws*', 'aws*'])
  })

  it('that were chosen are those rows alone, in their place and of their source', () => {
    const chosen = [both[0]!, both[1]!].map((item) => rowParts(item, item))
    expect(compare(both, chosen).offers.map(({ place }) => place)).toEqual([{ region: 'us' }, { region: 'eu' }])
    const sources = [row('a', '1'), row('a', '2', { source: 't' })]
    const apart = compare(
      sources,
      sources.map((item) => rowParts(item, item)),
    )
    expect(apart.offers.map(({ source, prices }) => [source, prices[0]!.current!.price])).toEqual([
      ['s', '1'],
      ['t', '2'],
    ])
  })
})

describe('what is said of the order', () => {
  const both = (provider: string, price: string) => [row(provider, price), output(provider, price)]

  it('names what it is by, and who is not compared', () => {
    const found = compare([...both('a', '2'), ...both('b', '1'), row('eu', '1', EUR)])
    expect(orderText(found)).toBe(
      'Cheapest first, by input and output together. The last one has no such price in USD.',
    )
    expect(hasCheapest(found.offers)).toBe(true)
  })

  it('calls no one the cheapest where all ask the same, or nothing is comparable', () => {
    const same = compare([...both('a', '2'), ...both('b', '2')])
    expect([orderText(same), hasCheapest(same.offers)]).toEqual(['No difference in input and output together.', false])
    const apart = compare([row('a', '1'), output('b', '1')])
    expect([orderText(apart), hasCheapest(apart.offers)]).toEqual(['Not ranked: no comparable prices.', false])
    expect(orderText(compare([row('a', '1')]))).toBe('')
  })

  it('names the market of a machine', () => {
    const machine = (provider: string, price: string) => row(provider, price, { ...HOUR, tier: { service: 'spot' } })
    const found = compare([machine('a', '2'), machine('b', '1')])
    expect([orderText(found), columnLabel(found.columns[0]!, found.columns)]).toEqual([
      'Cheapest first, by the spot price.',
      'Spot',
    ])
  })
})

describe('a row of the explorer', () => {
  it('is found again by its parts, on demand and on the spot market alike', () => {
    const spot = row('aws', '1', { ...HOUR, tier: { os: 'l', service: 'spot', region: 'eu', a: 'b' } })
    const demand = row('aws', '2', { ...HOUR, tier: { a: 'b', region: 'eu', os: 'l' } })
    expect(rowParts(spot, spot)).toEqual(rowParts(demand, demand))
    expect(
      [rowParts(spot, spot), ['aws', 'm'], ['aws'], ['aws', 'm', 't'], ['aws', 'n']].map((of) => isOf(spot, of)),
    ).toEqual([true, true, true, false, false])
    const reserved = row('aws', '2', { ...HOUR, tier: { ...demand.tier, service: 'reserved' } })
    expect(isOf(reserved, rowParts(demand, demand))).toBe(false)
  })
})

describe('what is drawn on one axis', () => {
  it('is of one dimension, currency and unit, the usual first', () => {
    const lines = linesOf([output('a', '1'), row('a', '1', EUR), row('b', '1'), row('c', '1')])
    expect(byKind(lines).map(({ key, isOnly, lines: own }) => [key, isOnly, own.length])).toEqual([
      ['input_tokens', false, 2],
      ['input_tokens EUR million tokens', false, 1],
      ['output_tokens', true, 1],
    ])
  })

  it('begins with the standard price, and of two sources with the newest', () => {
    const [kind] = byKind(
      linesOf([
        row('a', '3', { tier: { service: 'batch' } }),
        row('a', '1'),
        row('a', '2', { source: 't', recordedAt: '2026-02-01' }),
      ]),
    )
    expect(kind!.lines.map(({ current }) => current!.price)).toEqual(['2', '1', '3'])
  })
})
