import { beforeAll, describe, expect, it } from 'vitest'
import type { z } from 'zod'
import { historyAnswer } from '../../../src/api/schema.ts'
import { databaseNow, publishing } from '../../../src/catalog/clock/clock-store.ts'
import { HOUR, type Instant, MINUTE, plus } from '../../../src/lib/instant.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, renameIn, restoreIn, seedProviders, withdraw } from '../../support/prices.ts'

type History = z.infer<typeof historyAnswer>
const DAY1 = '2026-01-01T00:00:00.000Z' as Instant
const DAY2 = '2026-01-02T00:00:00.000Z' as Instant
const DAY3 = '2026-01-03T00:00:00.000Z' as Instant
const DAY4 = '2026-01-04T00:00:00.000Z' as Instant
const MANY = plus(DAY4, 2 * HOUR)
const LONG = plus(DAY4, 3 * HOUR)
const LONG_TIER = Object.fromEntries(['region', 'sku', 'offer', 'cloud'].map((key) => [key, `${key}-"é"`.repeat(80)]))

describe('GET /v1/prices/history', () => {
  const db = testDatabase()
  const api = testApi(db)
  let hashes: string[]
  const history = async (query: string): Promise<History> => {
    const answer = await api.get(`/v1/prices/history${query}`)
    expect(answer.status, answer.text).toBe(200)
    return historyAnswer.parse(answer.json)
  }
  const refused = async (query: string) => {
    const answer = await api.get(`/v1/prices/history${query}`)
    const { error } = answer.json as { error: { code: string; field?: string; message: string } }
    return { status: answer.status, code: error.code, field: error.field, message: error.message }
  }
  const walk = async (query: string): Promise<History['prices']> => {
    const { prices: rows, nextCursor } = await history(query)
    return nextCursor === null ? rows : [...rows, ...(await walk(`?cursor=${nextCursor}`))]
  }
  const prices = (answer: History) => answer.prices.map((row) => `${row.provider}/${row.resource} ${row.price}`).sort()

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [
      { provider: 'acme' },
      { provider: 'globex' },
      { provider: 'snowflake' },
      { provider: 'newcomer', status: 'pending' },
    ])
    hashes = await publish(
      db.sql,
      [
        { provider: 'acme', resource: 'm1', price: '1' },
        { provider: 'acme', resource: 'old', price: '2', pricingTier: { region: 'eu', context: 'over_200k' } },
        { provider: 'globex', resource: 'g1', price: '0.00000125' },
        { provider: 'snowflake', resource: 's1', price: '3', currency: 'SNOWFLAKE_AI_CREDIT' },
      ],
      DAY1,
    )
    await withdraw(db.sql, [hashes[0]!], DAY2)
    await publishing(
      db.sql,
      async (tx, stamp) => {
        await restoreIn(tx, stamp, [hashes[0]!])
        await renameIn(tx, stamp, 'acme', 'old', 'new')
      },
      DAY3,
    )
    await publish(db.sql, [{ provider: 'acme', resource: 'new', price: '2.5' }], DAY4)
    await publishing(db.sql, (tx, stamp) => renameIn(tx, stamp, 'acme', 'new', 'newest'), plus(DAY4, HOUR))
    const many = Array.from({ length: 5_200 }, (_, n) => ({ provider: 'acme', resource: `r${n}`, price: `${n}` }))
    await publish(db.sql, many, MANY)
    await publish(db.sql, [{ provider: 'globex', resource: 'long', price: '7', pricingTier: LONG_TIER }], LONG)
  })

  it('serves a row published on day 1 and withdrawn on day 2 at a day-1 asOf and not at a day-2 asOf', async () => {
    expect(prices(await history(`?providers=acme&asOf=${DAY1}`))).toEqual(['acme/m1 1', 'acme/old 2'])
    expect(prices(await history(`?providers=acme&asOf=${plus(DAY2, -1)}`))).toEqual(['acme/m1 1', 'acme/old 2'])
    expect(prices(await history(`?providers=acme&asOf=${DAY2}`))).toEqual(['acme/old 2'])
  })

  it('shows approvalStatus as it was at asOf, not as it is', async () => {
    const status = async (at: Instant) =>
      (await history(`?providers=acme&asOf=${at}`)).prices.find((row) => row.resource === 'm1')?.approvalStatus
    expect(await status(DAY1)).toBe('auto_approved')
    expect(await status(DAY2)).toBeUndefined()
    expect(await status(DAY3)).toBe('approved')
  })

  it('has every field of a price row, with price as an exact decimal string', async () => {
    const [row] = (await history(`?providers=globex&asOf=${DAY1}`)).prices
    expect(row).toEqual({
      provider: 'globex',
      source: 'seed',
      resource: 'g1',
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: {},
      price: '0.00000125',
      recordedAt: DAY1,
      contentHash: hashes[2],
      approvalStatus: 'auto_approved',
    })
  })

  it('puts renamedTo on rows under an old name, following renamings up to asOf, and on no others', async () => {
    const names = async (at: Instant) =>
      Object.fromEntries((await history(`?providers=acme&asOf=${at}`)).prices.map((r) => [r.resource, r.renamedTo]))
    expect(await names(DAY2)).toEqual({ old: undefined })
    expect(await names(DAY3)).toEqual({ m1: undefined, old: 'new' })
    expect(await names(DAY4)).toEqual({ m1: undefined, old: 'new', new: undefined })
    expect(await names(plus(DAY4, HOUR))).toEqual({ m1: undefined, old: 'newest', new: 'newest' })
  })

  it('serves credit-priced providers only when they are named', async () => {
    expect(prices(await history(`?asOf=${DAY1}`))).toEqual(['acme/m1 1', 'acme/old 2', 'globex/g1 0.00000125'])
    expect(prices(await history(`?asOf=${DAY1}&providers=snowflake`))).toEqual(['snowflake/s1 3'])
  })

  it('takes several providers separated by commas or repeated, each once', async () => {
    const both = ['globex/g1 0.00000125', 'snowflake/s1 3']
    expect(prices(await history(`?asOf=${DAY1}&providers=globex,snowflake`))).toEqual(both)
    expect(prices(await history(`?asOf=${DAY1}&providers=globex&providers=snowflake,globex`))).toEqual(both)
    expect(prices(await history(`?asOf=${DAY1}&providers=newcomer`))).toEqual([])
  })

  it('echoes the instant used, whatever offset it was given in', async () => {
    expect((await history('?asOf=2026-01-01T02:00:00%2B02:00')).asOf).toBe(DAY1)
    expect((await history('?asOf=2026-01-01T02:00:00+02:00')).asOf).toBe(DAY1)
    expect((await history('?asOf=2026-01-01T00:00:00.0009Z')).asOf).toBe(DAY1)
  })

  it('reads the newest allowed instant when asOf is left out', async () => {
    const before = plus(await databaseNow(db.sql), -15 * MINUTE - 1)
    const { asOf } = await history('')
    expect(asOf >= before).toBe(true)
    expect(asOf <= plus(await databaseNow(db.sql), -15 * MINUTE)).toBe(true)
    expect(prices(await history(`?asOf=${asOf}`))).toEqual(prices(await history('')))
  })

  it('refuses an asOf less than 15 minutes in the past with as_of_too_recent, by the database clock', async () => {
    const now = await databaseNow(db.sql)
    const late = await refused(`?asOf=${plus(now, -15 * MINUTE + 10_000)}`)
    expect(late).toMatchObject({ status: 400, code: 'as_of_too_recent', field: 'asOf' })
    expect((await history(`?asOf=${plus(now, -15 * MINUTE)}`)).asOf).toBe(plus(now, -15 * MINUTE))
  })

  it('refuses what is not a parameter’s value with invalid_query and the field at fault', async () => {
    const wrong: [query: string, field: string][] = [
      ...['0', '10001', '-1', '1.5', 'abc', '', '1e3', ' 5', '99999999999999'].map((limit): [string, string] => [
        `?limit=${encodeURIComponent(limit)}`,
        'limit',
      ]),
      ['?limit=1&limit=2', 'limit'],
      ['?providers=nobody', 'providers'],
      ['?providers=acme,nobody', 'providers'],
      ['?providers=', 'providers'],
      ['?providers=acme,', 'providers'],
      ['?providers=%00', 'providers'],
      ['?providers=ACME', 'providers'],
      ['?asOf=yesterday', 'asOf'],
      ['?asOf=2026-02-30T00:00:00Z', 'asOf'],
      ['?asOf=2026-01-01', 'asOf'],
      ['?asOf=', 'asOf'],
      ['?asOf=2026-01-01T00:00:00Z&asOf=2026-01-01T00:00:00Z', 'asOf'],
      ['?cursor=', 'cursor'],
      ['?cursor=nonsense', 'cursor'],
      ['?provider=acme', 'provider'],
      ['?limit=5&foo=1', 'foo'],
      ['?__proto__=1', '__proto__'],
    ]
    for (const [query, field] of wrong) {
      expect(await refused(query), query).toMatchObject({ status: 400, code: 'invalid_query', field })
    }
    expect((await history(`?limit=1&asOf=${DAY1}`)).prices).toHaveLength(1)
    expect((await history(`?limit=10000&asOf=${DAY1}`)).prices).toHaveLength(3)
  })

  it('answers with no rows at an instant before any data', async () => {
    for (const at of ['0001-01-01T00:00:00.000Z', '1899-12-31T23:59:59.999Z', '2025-01-01T00:00:00.000Z']) {
      expect(await history(`?asOf=${at}`)).toEqual({ asOf: at, nextCursor: null, prices: [] })
    }
  })

  it('accepts HEAD like GET, and nothing else', async () => {
    const headers = { authorization: `Bearer ${api.key}` }
    const ask = (method: 'HEAD' | 'OPTIONS' | 'POST' | 'PUT' | 'DELETE', payload?: string) =>
      api.server.inject({ method, url: `/v1/prices/history?asOf=${DAY1}`, headers, payload })
    const head = await ask('HEAD')
    expect([head.statusCode, head.body]).toEqual([200, ''])
    expect(Number(head.headers['content-length'])).toBeGreaterThan(100)
    for (const method of ['OPTIONS', 'POST', 'PUT', 'DELETE'] as const) {
      const answer = await ask(method, method === 'POST' ? '{nonsense' : undefined)
      expect([method, answer.statusCode, answer.json().error.code]).toEqual([method, 405, 'method_not_allowed'])
      expect(answer.headers['access-control-allow-origin']).toBeUndefined()
    }
  })

  it('takes a body for nothing and damaged escapes for what they are', async () => {
    const headers = { authorization: `Bearer ${api.key}`, 'content-type': 'application/json' }
    const url = `/v1/prices/history?asOf=${DAY1}`
    expect((await api.server.inject({ method: 'GET', url, headers, payload: '{nonsense' })).statusCode).toBe(200)
    for (const damaged of ['%', '%z1', '%ff', '%c3%28', '%ED%A0%80', '%2', '+', '%2525']) {
      expect(await refused(`?providers=${damaged}`), damaged).toMatchObject({ status: 400, field: 'providers' })
      expect(await refused(`?asOf=${damaged}`), damaged).toMatchObject({ status: 400, field: 'asOf' })
      expect(await refused(`?cursor=${damaged}`), damaged).toMatchObject({ status: 400, field: 'cursor' })
      expect(await refused(`?limit=${damaged}`), damaged).toMatchObject({ status: 400, field: 'limit' })
    }
  })

  it('orders rows by contentHash and serves a default page of 5,000', async () => {
    const first = await history(`?providers=acme&asOf=${MANY}`)
    const second = await history(`?cursor=${first.nextCursor}`)
    expect(first.prices).toHaveLength(5_000)
    expect(second.nextCursor).toBeNull()
    const order = [...first.prices, ...second.prices].map((row) => row.contentHash)
    expect(order).toEqual([...order].sort())
    expect(new Set(order).size).toBe(5_203)
  })

  it('serves rows of any length', async () => {
    for (const query of ['?', '?providers=globex&', '?providers=globex,acme&']) {
      const rows = await walk(`${query}asOf=${LONG}&limit=10000`)
      expect(rows.filter((row) => row.resource === 'long').map((row) => row.pricingTier)).toEqual([LONG_TIER])
    }
  })
})
