import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { databaseNow } from '../../src/catalog/clock-store.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { ask, newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const DAY1 = '2026-01-01T00:00:00.000Z' as Instant

describe('an instant that is not settled yet', () => {
  const db = testDatabase()
  let impatient: Sql
  let server: Api
  let key: string
  const history = (query: string) => ask(server, `/v1/prices/history?${query}`, { authorization: `Bearer ${key}` })

  beforeAll(async () => {
    await seedProviders(db.sql, DAY1, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }], plus(DAY1, 1))
    impatient = connect(db.url, { max: 1 })
    await impatient`set lock_timeout = '150ms'`
    server = await testServer(impatient)
    key = await newKey(db.sql)
  })
  afterAll(async () => {
    await server.close()
    await impatient.end()
  })

  it('is 503 unavailable with retry-after while a publication stalls, and is served once that has ended', async () => {
    const asOf = plus(await databaseNow(db.sql), -20 * MINUTE)
    await db.sql.begin(async (tx) => {
      await tx`select from publication_clock for update`
      const answer = await history(`asOf=${asOf}`)
      expect([answer.status, answer.json]).toEqual([
        503,
        { error: { code: 'unavailable', message: expect.stringContaining('retry-after') } },
      ])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      const earlier = await history(`asOf=${plus(DAY1, 1)}`)
      expect([earlier.status, (earlier.json as { prices: unknown[] }).prices.length]).toEqual([200, 1])
    })
    const served = await history(`asOf=${asOf}`)
    expect([served.status, (served.json as { prices: unknown[] }).prices.length]).toEqual([200, 1])
  })
})
