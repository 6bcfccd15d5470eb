import { describe, expect, it } from 'vitest'
import { connect } from '../../src/lib/sql.ts'
import {
  connectionsByState,
  contradictedLines,
  limitStatements,
  logSize,
  reviewAges,
  webhooksByState,
} from '../../src/monitoring/metrics/gauge-store.ts'
import { testDatabase } from '../support/database.ts'
import { addWebhook, addWorkspace } from '../support/webhooks/subscriptions.ts'
import { addDocuments, addVersion } from '../terms/document-rows.ts'

const [MINUTE, HOUR, DAY] = [60, 3_600, 86_400]

describe('what is counted of the installation', () => {
  const db = testDatabase({ each: true })
  const ago = (seconds: number) => db.sql`clock_timestamp() - ${seconds} * interval '1 s'`

  it('is what waits for a person, by kind and age', async () => {
    await addDocuments(db.sql)
    expect(await reviewAges(db.sql)).toEqual([])
    const ages = [59 * MINUTE, 61 * MINUTE, 23 * HOUR, 25 * HOUR, 7 * DAY - HOUR, 7 * DAY + HOUR, 9 * DAY]
    for (const [decided, asks] of [
      [false, true],
      [true, true],
      [false, false],
    ])
      for (const age of [...ages, ...(decided || !asks ? [20 * DAY] : [])])
        await db.sql`
          insert into review (source, provider, kind, reasons, opened_at, asks, decided_at)
          values ('one-terms', 'one', 'change', '{}', ${ago(age)}, ${asks!}, ${decided ? ago(0) : null})`
    for (const [source, age] of [
      ['one-terms', 2 * DAY],
      ['one-privacy', 30 * MINUTE],
    ] as const) {
      const id = await addVersion(db.sql, source, source, { hour: 1, status: 'held' })
      await db.sql`update document_version set held_at = ${ago(age)} where version_id = ${id}`
    }
    await addVersion(db.sql, 'two-terms', 'x', { hour: 1, status: 'candidate' })
    const shown = (await reviewAges(db.sql)).map(({ kind, age, count, oldest }) => [
      ...[kind, age, count],
      Math.round(oldest / MINUTE),
    ])
    expect(shown.sort()).toEqual(
      [
        ['prices', '1h', 1, 59],
        ['prices', '1d', 2, 23 * 60],
        ['prices', '7d', 2, (7 * 24 - 1) * 60],
        ['prices', 'older', 2, 9 * 24 * 60],
        ['document', '7d', 1, 2 * 24 * 60],
        ['document', '1h', 1, 30],
      ].sort(),
    )
  })

  it('is webhooks by their state', async () => {
    const workspaceId = await addWorkspace(db.sql)
    const add = async (columns: object) => {
      const id = await addWebhook(db.sql, workspaceId)
      await db.sql`update webhook set ${db.sql({ failures_in_row: 0, ...columns })} where webhook_id = ${id}`
    }
    const paused = { state: 'paused', paused_at: new Date() }
    for (const columns of [{}, {}, {}, { failures_in_row: 1 }, { failures_in_row: 9 }, paused]) await add(columns)
    await add({ ...paused, failures_in_row: 2 })
    const found = (await webhooksByState(db.sql)).map(({ state, count }) => [state, count])
    expect(Object.fromEntries(found)).toEqual({ active: 3, failing: 2, paused: 2 })
  })

  it('is contradicted prices that are served', async () => {
    await db.sql`insert into source (source, kind, format, interval_seconds) values ('list', 'prices', 'curated', 3600)`
    for (const [n, columns] of [
      { current_hash: 'a' },
      { current_hash: 'b', removed_at: new Date() },
      { current_hash: null },
      { current_hash: 'c' },
      { current_hash: 'd' },
    ].entries()) {
      const line = { source: 'list', provider: 'acme', resource: `m${n}`, dimension: 'd', unit: 'u', currency: 'USD' }
      const [{ id }] = (await db.sql`
        insert into price_line ${db.sql({ ...line, pricing_tier: '{}', ...columns })} returning line_id as id`) as never as [
        { id: string },
      ]
      if (n < 4)
        await db.sql`
          insert into contradicted_line (line_id, price, other_price, sources, since)
          values (${id}, 1, 2, '{list}', now())`
    }
    expect(await contradictedLines(db.sql)).toBe(2)
  })

  it('is the log, and what waits for its leaf', async () => {
    expect(await logSize(db.sql)).toEqual({ leaves: 0, waiting: 0 })
    await db.sql`update log_state set size = 7, after_seq = 10`
    const statuses = ['approved', 'auto_approved', 'withdrawn', 'removed', 'pending', 'rejected']
    for (const [n, status] of statuses.entries())
      await db.sql`
        insert into price_status (content_hash, seq, at, status)
        values (${`h${n}`}, ${11 + n}, now(), ${status}), (${`h${n}`}, ${10 - n}, now(), ${status})`
    expect(await logSize(db.sql)).toEqual({ leaves: 7, waiting: 4 })
  })

  it('is the connections of this database and user, by application and state', async () => {
    const [idle, other] = [connect(db.url, { max: 2, name: 'idle one' }), connect(db.url, { max: 1, name: 'another' })]
    await Promise.all([idle`select pg_sleep(0.1)`, idle`select pg_sleep(0.1)`])
    await other.begin(async (tx) => {
      await tx`select`
      const found = (await connectionsByState(db.sql)).map(({ application, state, count }) => [
        application,
        state,
        count,
      ])
      expect(found).toContainEqual(['idle one', 'idle', 2])
      expect(found).toContainEqual(['another', 'idle in transaction', 1])
      expect(found.map(([application]) => application)).not.toContain('test databases')
    })
    await Promise.all([idle.end(), other.end()])
  })

  it('takes no longer than it may, and only in its transaction', async () => {
    const timeout = async (sql: typeof db.sql) =>
      (await sql<{ at: string }[]>`select current_setting('statement_timeout') as at`)[0]!.at
    const sql = connect(db.url, { max: 1 })
    const before = await timeout(sql)
    await sql.begin(async (tx) => {
      await limitStatements(tx, 1_234)
      expect(await timeout(tx as never)).toBe('1234ms')
    })
    expect(await timeout(sql)).toBe(before)
    await sql.end()
  })
})
