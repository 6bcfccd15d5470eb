import { describe, expect, it } from 'vitest'
import { lastPublication } from '../../src/catalog/clock/clock-store.ts'
import { listProviders } from '../../src/catalog/providers/list-providers.ts'
import type { SourceDeclaration } from '../../src/catalog/schema.ts'
import { bundledSnapshots } from '../../src/collectors/index.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { silent } from '../../src/lib/process/progress.ts'
import { historyPage } from '../../src/prices/history/history-store.ts'
import { importHistory } from '../../src/roles/import-history.ts'
import { testDatabase } from '../support/database.ts'

const source: SourceDeclaration = {
  source: 'genai-prices',
  bundled: true,
  format: 'genai-prices',
  intervalSeconds: 3600,
  primary: true,
  options: {},
}
const FEBRUARY = '2026-03-01T00:00:00.000Z' as Instant

describe('the import of history on a first start', () => {
  const db = testDatabase({ each: true })

  it('records each bundled snapshot at the instant it was published, however many processes ask, and activates no provider', async () => {
    const options = { progress: silent, until: FEBRUARY }
    const both = await Promise.all([importHistory(db.sql, [source], options), importHistory(db.sql, [source], options)])
    expect(both.map((done) => done.snapshots).sort()).toEqual([0, 2])
    const rows = await db.sql`select distinct published_at as at from publication order by at`
    expect(rows.map((row) => row.at)).toEqual(
      bundledSnapshots()
        .slice(0, 2)
        .map(({ at }) => at),
    )
    // Its providers stay older than the directory: no activatedAt, and freshness unknown until one is read.
    const directory = await listProviders(db.sql)
    expect(directory.length).toBeGreaterThan(20)
    const states = directory.map(({ status, activatedAt, freshness }) => `${status} ${activatedAt} ${freshness}`)
    expect([...new Set(states)]).toEqual(['active null unknown'])
  })

  it('goes on where it was ended, makes no events, and records how prices changed', async () => {
    await importHistory(db.sql, [source], { progress: silent, until: FEBRUARY })
    await expect(importHistory(db.sql, [source], { progress: silent })).resolves.toMatchObject({ snapshots: 2 })
    await expect(importHistory(db.sql, [source], { progress: silent })).resolves.toMatchObject({
      snapshots: 0,
      rows: 0,
    })
    expect(await lastPublication(db.sql)).toBe(plus(bundledSnapshots().at(-1)!.at, 1))
    expect(await db.sql`select from event`).toHaveLength(0)
    expect(await db.sql`select from snapshot`).toHaveLength(4)
    // Two instants months apart have different prices of the same line.
    const rows = await db.sql`
      select count(distinct l.line_id)::int as lines from price_line l
      join price_row a using (line_id) join price_row b using (line_id) where a.recorded_at < b.recorded_at`
    expect(rows[0]!.lines).toBeGreaterThan(50)
  })

  it('says of each price that the source said so when the snapshot was published', async () => {
    await importHistory(db.sql, [source], { progress: silent, until: FEBRUARY })
    const said = plus(bundledSnapshots()[1]!.at, 1)
    const asOf = plus(said, DAY)
    const options = {
      asOf,
      after: '',
      limit: 5_000,
      rows: { filters: {}, current: true },
      include: ['confirmation' as const],
    }
    const { prices } = await historyPage(db.sql, options)
    const rows = JSON.parse(`[${prices}]`) as { confirmedAt?: string; confirmedBy?: { agree: { source: string }[] } }[]
    expect(rows.length).toBeGreaterThan(1_000)
    const fresh = rows.filter(({ confirmedAt }) => confirmedAt === said)
    expect(fresh.length).toBeGreaterThan(rows.length / 2)
    expect(fresh[0]!.confirmedBy).toMatchObject({ agree: [{ source: 'genai-prices' }] })
  })
})
