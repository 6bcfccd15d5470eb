import { readdir, readFile } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sha256 } from '../../src/lib/hash.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { listDeliveries } from '../../src/webhooks/manage/list-deliveries.ts'
import { revealSecret } from '../../src/webhooks/subscriptions/reveal-secret.ts'
import { ask, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const MIGRATIONS = new URL('../../src/database/migrations/', import.meta.url)
const DATABASES = new URL('databases/', import.meta.url)

/** The last migration of a release, and what its database holds. */
const RELEASES = {
  '0.1.0': {
    until: '0011_claims.sql',
    key: 'ptk_C7ebeD-k9hRZ2xrlq1X4NgidaOvo56hnE-6N7dF6YS8',
    secretKey: Buffer.alloc(32, 'A'),
    secret: 'whsec_0oMWXufkGJuPhSP6dhtYEDpJUR+vEiat',
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
    await sql.unsafe(
      'create table migration (name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp())',
    )
    for (const name of (await readdir(MIGRATIONS)).sort().filter((name) => name <= held.until)) {
      const text = await readFile(new URL(name, MIGRATIONS), 'utf8')
      await sql.unsafe(text)
      await sql`insert into migration (name, sha256) values (${name}, ${sha256(text)})`
    }
    await load()
    await migrate(sql)
    // The log keeps deliveries for 30 days.
    await sql`update delivery set last_attempt_at = clock_timestamp()`
  })
  afterAll(() => sql?.end())

  /** Fills the tables with what the release had written. */
  async function load(): Promise<void> {
    const tables = JSON.parse(await readFile(new URL(`${version}.json`, DATABASES), 'utf8')) as Record<string, object[]>
    await sql.begin(async (tx) => {
      for (const [table, rows] of Object.entries(tables)) {
        const json = JSON.stringify(rows)
        await tx.unsafe(`delete from ${table}`)
        await tx`
          insert into ${tx(table)} overriding system value
          select * from jsonb_populate_recordset(null::${tx(table)}, ${json}::text::jsonb)`
      }
    })
  }
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
})
