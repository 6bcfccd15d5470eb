import { describe, expect, it } from 'vitest'
import { seriesRequest } from '../../../src/web/pages/prices/chart/series-request.ts'

const row = (
  provider: string,
  listed: string,
  resource = listed,
  { unpublishedAt = null as string | null, publishedAt = '2024-01-01T00:00:00.000Z' } = {},
) => ({ provider, listed, resource, publishedAt, unpublishedAt })
const VIEW = { asOf: '2026-01-01T00:00:00.000Z', origin: 'http://h', leftOut: 0 }
const HISTORY = 'http://h/v1/prices/history?asOf=2026-01-01T00:00:00.000Z'

/** What is requested, without the header of each command. */
const urls = (curl: string) => [...curl.matchAll(/curl '([^']+)'/g)].map((match) => match[1]!)

describe('the request of a history', () => {
  it('names each resource with its former names', () => {
    const rows = [row('a', 'new', 'old'), row('a', 'new'), row('b', 'm,1')]
    const { curl, about } = seriesRequest({ ...VIEW, shown: rows, all: rows })
    expect(urls(curl)).toEqual([
      `${HISTORY}&providers=a&resource=new&resource=old&limit=10000`,
      `${HISTORY}&providers=b&resource=m%2C1&limit=10000`,
    ])
    expect(about).toBe(
      'This returns the 3 rows of this history, earlier prices included, in exact decimals per one unit.',
    )
  })

  it('names the providers of a group, so that none is left out, and former names beside it', () => {
    const rows = [row('b', 'm'), row('credits', 'm'), row('a', 'new', 'old'), row('a', 'new')]
    const members = [
      { provider: 'a', resource: 'new' },
      { provider: 'b', resource: 'm' },
      { provider: 'credits', resource: 'm' },
    ]
    const { curl } = seriesRequest({ ...VIEW, shown: rows, all: rows, group: { id: 'al_1', members } })
    expect(urls(curl)).toEqual([
      `${HISTORY}&alias=al_1&providers=a,b,credits&limit=10000`,
      `${HISTORY}&providers=a&resource=old&limit=10000`,
    ])
  })

  it('requests a former name once where the group lists it too', () => {
    const rows = [row('a', 'new', 'old'), row('a', 'new'), row('b', 'm', 'former')]
    const members = [
      { provider: 'a', resource: 'old' },
      { provider: 'a', resource: 'new' },
      { provider: 'b', resource: 'm' },
    ]
    const { curl } = seriesRequest({ ...VIEW, shown: rows, all: rows, group: { id: 'al_1', members } })
    expect(urls(curl)).toEqual([
      `${HISTORY}&alias=al_1&providers=a&limit=10000`,
      `${HISTORY}&providers=b&resource=former&limit=10000`,
    ])
  })

  it('says what it returns besides, what it does not return, and that long answers have pages', () => {
    const all = [row('a', 'm'), row('a', 'm'), row('a', 'm', 'm', { unpublishedAt: '2025-01-01T00:00:00.000Z' })]
    expect(seriesRequest({ ...VIEW, shown: [all[0]!, all[2]!], all, leftOut: 12_000 }).about).toBe(
      'This returns 2 rows: the 1 of this history and others, because a request cannot be narrowed further. ' +
        '1 more on this page are no longer served: they were withdrawn or removed. ' +
        'It also returns up to 12,000 older rows, which this page leaves out. ' +
        'An answer has at most 10,000 of them: send its nextCursor with limit for the next page.',
    )
    const many = Array.from({ length: 10_001 }, () => row('a', 'm'))
    expect(seriesRequest({ ...VIEW, shown: many, all: many }).about).toContain('at most 10,000 of them')
    const most = many.slice(1)
    expect(seriesRequest({ ...VIEW, shown: most, all: most }).about).not.toContain('at most')
  })

  it('counts what is served at the instant of the request, which may be before that of the page', () => {
    const later = '2026-01-01T00:00:00.001Z'
    const all = [
      row('a', 'm', 'm', { unpublishedAt: later }),
      row('a', 'm', 'm', { publishedAt: later }),
      row('b', 'n'),
    ]
    expect(seriesRequest({ ...VIEW, shown: all, all }).about).toBe(
      'This returns the 2 rows of this history, earlier prices included, in exact decimals per one unit.',
    )
  })

  it('quotes hostile names for a shell and for an address', () => {
    const rows = [row('a', `'; rm -rf /&x=1`)]
    expect(seriesRequest({ ...VIEW, shown: rows, all: rows }).curl).toContain(
      'resource=%27%3B%20rm%20-rf%20%2F%26x%3D1&limit',
    )
  })
})
