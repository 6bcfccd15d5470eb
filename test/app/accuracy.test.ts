import { beforeEach, describe, expect, it } from 'vitest'
import { DAY, plus } from '../../src/lib/instant.ts'
import { addOperator } from '../support/accounts.ts'
import { testApp } from '../support/app/app.ts'
import { testDatabase } from '../support/database.ts'
import { measuredDays } from '../support/suite/measured.ts'

describe('the accuracy of what is served, for operators', () => {
  const db = testDatabase({ each: true })
  const app = testApp(db)
  let session: string
  beforeEach(async () => {
    session = (await addOperator(db.sql)).sessionToken
  })
  const read = async (path: string) => (await app.send(`GET /v1/operator/${path}`, { session })).json

  it('is the newest measure, the worst first, with 30 days before it', async () => {
    const measuredAt = await measuredDays(db.sql)
    const none = { contradicted: 0, byProvider: 0, independent: 0, ownList: 0, unconfirmed: 0 }
    const said = { day: 0, week: 0, month: 0, before: 0 }
    const lag = { published: 0, hoursMedian: null, hoursP90: null }
    const change = { published: 1, hoursMedian: 0, hoursP90: 0 }
    const days = [4, 3, 2, 1, 0].map((n) => plus(measuredAt, -n * DAY).slice(0, 10))
    const before = { ...none, byProvider: 10, independent: 4, ownList: 14, ...lag }
    expect(await read('accuracy')).toEqual({
      newest: {
        day: measuredAt.slice(0, 10),
        measuredAt,
        total: change,
        groups: [
          {
            ...{ provider: 'acme', rank: 'community', ...none, contradicted: 1, independent: 4, ownList: 13 },
            ...{ said: { ...said, day: 18 }, ...lag },
          },
          { provider: 'maker', rank: 'provider', ...none, byProvider: 10, said: { ...said, day: 10 }, ...change },
        ],
      },
      history: [
        { ...before, day: days[0] },
        { ...before, day: days[1] },
        { ...before, day: days[2] },
        { ...before, day: days[3], contradicted: 1, ownList: 13 },
        { ...before, day: days[4], contradicted: 1, ownList: 13, ...change },
      ],
    })
  })

  it('leads to the prices that are contradicted now', async () => {
    const measuredAt = await measuredDays(db.sql)
    const others = ['first-list', 'second-list'].map((source) => ({ source, rank: 'community', price: '0.000003' }))
    expect(await read('accuracy/contradicted?provider=acme')).toEqual({
      count: 1,
      prices: [
        {
          contentHash: expect.stringMatching(/^[0-9a-f]{64}$/),
          ...{ source: 'list', resource: 'contested', dimension: 'input_tokens', unit: 'usd_per_token' },
          ...{ currency: 'USD', pricingTier: '{}', price: '0.000002' },
          ...{ since: plus(measuredAt, -3.5 * DAY), others },
        },
      ],
    })
    expect(await read('accuracy/contradicted?provider=maker')).toEqual({ count: 0, prices: [] })
  })

  it('lists at most 200 of them, and says how many there are', async () => {
    await measuredDays(db.sql)
    await db.sql`
      insert into price_line (source, provider, resource, dimension, unit, currency, pricing_tier)
      select source, provider, 'more-' || n, dimension, unit, currency, pricing_tier
      from price_line, generate_series(1, 200) n where resource = 'contested' and dimension = 'input_tokens'`
    await db.sql`
      insert into price_row (content_hash, line_id, price, recorded_at, parser_version)
      select encode(sha256(resource::bytea), 'hex'), line_id, 1, now(), 1 from price_line where resource like 'more-%'`
    await db.sql`
      update price_line set current_hash = encode(sha256(resource::bytea), 'hex') where resource like 'more-%'`
    await db.sql`
      insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, contradicted_since, agree,
                                    disagree, by_provider, independent, independent_of_own, basis)
      select current_hash, now(), line_id, provider, source, true, false, now(), '', '', false, false, false, 0
      from price_line where resource like 'more-%'`
    const { count, prices } = (await read('accuracy/contradicted?provider=acme')) as { count: number; prices: object[] }
    expect([count, prices.length]).toEqual([201, 200])
  })
})
