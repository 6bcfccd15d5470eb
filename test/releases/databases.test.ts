import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signIn } from '../../src/accounts/sessions/sign-in.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { listDeliveries } from '../../src/webhooks/log/list-deliveries.ts'
import { revealSecret } from '../../src/webhooks/subscriptions/reveal-secret.ts'
import { ask, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { loadReleasedRows, makeReleasedDatabase } from '../support/toolchains/released-database.ts'
import { schemaOf } from './schema.ts'

/** What the database of a release holds. */
const RELEASES = {
  '1.0.0': {
    key: 'ptk_C7ebeD-k9hRZ2xrlq1X4NgidaOvo56hnE-6N7dF6YS8',
    secretKey: Buffer.alloc(32, 'A'),
    secret: 'whsec_0oMWXufkGJuPhSP6dhtYEDpJUR+vEiat',
    account: { email: 'kim@example.com', password: 'correct horse battery staple' },
    asOf: '2026-09-22T09:58:30.000Z',
    prices: [
      'acme m1 input_tokens 0.0000025',
      'acme m1 output_tokens 0.000008',
      'globex m1-fast input_tokens 0.0000015',
    ],
    before: '2026-09-22T09:58:10.000Z',
    pricesBefore: [
      'acme m1 input_tokens 0.000002',
      'acme m1 output_tokens 0.000008',
      'globex m1-fast input_tokens 0.0000015',
    ],
  },
}

describe.each(Object.entries(RELEASES))('a database of %s', (version, held) => {
  const db = testDatabase()
  let sql: Sql
  beforeAll(async () => {
    const name = `${db.name}_released`
    await db.sql.unsafe(`create database ${name}`)
    const url = new URL(db.url)
    url.pathname = `/${name}`
    sql = connect(url.href, { max: 4 })
    await makeReleasedDatabase(sql, version)
    await loadReleasedRows(sql, version)
    await migrate(sql)
    // The log keeps deliveries for 30 days.
    await sql`update delivery set last_attempt_at = clock_timestamp()`
  })
  afterAll(() => sql?.end())

  const shown = async (asOf: string) => {
    const server = await testServer(sql)
    const answer = await ask(server, `/v1/prices/history?current=true&asOf=${asOf}`, {
      authorization: `Bearer ${held.key}`,
    })
    await server.close()
    const { prices } = JSON.parse(answer.text) as { prices: Record<string, string>[] }
    return prices
      .map(({ provider, resource, dimension, price }) => `${provider} ${resource} ${dimension} ${price}`)
      .sort()
  }

  it('has the schema of a new database once it is migrated', async () => {
    expect(await schemaOf(sql)).toEqual(await schemaOf(db.sql))
    expect((await schemaOf(sql)).length).toBeGreaterThan(900)
    expect(await migrate(sql)).toEqual([])
  })

  it('serves the same prices at the same instants, to the API keys it had', async () => {
    expect([await shown(held.before), await shown(held.asOf)]).toEqual([held.pricesBefore, held.prices])
  })

  it('keeps webhooks with their secrets, and the delivery log', async () => {
    const [row] = await sql<{ workspaceId: string; id: string }[]>`
      select workspace_id as "workspaceId", webhook_id as id from webhook`
    expect((await revealSecret(sql, held.secretKey, row!)).secret).toBe(held.secret)
    expect(await listDeliveries(sql, row!)).toMatchObject([
      {
        status: 'failed',
        eventType: 'price.changed',
        error: 'HTTP 503 after 5 ms',
        attempts: [{ status: 503, outcome: 'failed' }],
      },
    ])
  })

  it('keeps accounts, which still sign in, and makes providers active that have a document in force', async () => {
    const { account } = await signIn(sql, held.account, { address: '127.0.0.1', userAgent: 'test' })
    expect(account.name).toBe('Kim')
    const [invitation] = await sql`select inviter_email_key as inviter from invitation where withdrawn_at is null`
    expect(invitation).toEqual({ inviter: held.account.email })
    const [now] = await sql`select status from provider_status where provider = 'initech' order by at desc limit 1`
    expect(now).toEqual({ status: 'active' })
  })
})
