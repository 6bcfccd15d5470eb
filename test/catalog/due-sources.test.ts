import { randomUUID } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import {
  claimSource,
  declareSources,
  dueSources,
  recentFetches,
  recordOutcome,
  sourceState,
} from '../../src/catalog/sources/source-store.ts'
import { type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const prices = (source: string) => ({
  ...sourceDeclaration.parse({ source, format: 'curated' }),
  kind: 'prices' as const,
})

describe('a source', () => {
  const db = testDatabase({ each: true })
  const claim = (id: string, now: Instant) =>
    claimSource(db.sql, { source: 'a', id, now, until: plus(now, 2 * MINUTE) })
  const record = (claimId: string, at: Instant) =>
    db.sql.begin((tx) =>
      recordOutcome(tx, {
        ...{ source: 'a', claimId, at, outcome: 'unchanged', confirmed: true },
        ...{ nextDueAt: plus(at, 60 * MINUTE), durationMs: 10 },
      }),
    )

  it('is due while it is declared and no one reads it, also for a worker whose own list is older', async () => {
    await declareSources(db.sql, [prices('a'), prices('b')])
    expect(await dueSources(db.sql, AT)).toEqual(['a', 'b'])
    await claim(randomUUID(), AT)
    expect(await dueSources(db.sql, plus(AT, MINUTE))).toEqual(['b'])
    expect(await dueSources(db.sql, plus(AT, 2 * MINUTE))).toEqual(['a', 'b'])
    await declareSources(db.sql, [prices('a')])
    expect(await dueSources(db.sql, plus(AT, 2 * MINUTE))).toEqual(['a'])
  })

  it('has the outcome of the worker whose claim it is, and not of one that lost its claim', async () => {
    await declareSources(db.sql, [prices('a')])
    const [first, second] = [randomUUID(), randomUUID()]
    await claim(first, AT)
    await claim(second, plus(AT, 2 * MINUTE))
    expect(await record(first, plus(AT, 3 * MINUTE))).toBe(false)
    expect(await recentFetches(db.sql, 'a')).toEqual([])
    expect((await sourceState(db.sql, 'a'))?.collectingUntil).toBe(plus(AT, 4 * MINUTE))
    expect(await record(second, plus(AT, 3 * MINUTE))).toBe(true)
    expect((await recentFetches(db.sql, 'a')).map(({ at }) => at)).toEqual([plus(AT, 3 * MINUTE)])
    expect((await sourceState(db.sql, 'a'))?.collectingUntil).toBeUndefined()
  })
})
