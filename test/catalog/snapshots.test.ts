import { beforeEach, describe, expect, it } from 'vitest'
import { deleteOldFetches, deleteUnusedSnapshots } from '../../src/catalog/snapshots/delete-old-snapshots.ts'
import { recordGoodFetch } from '../../src/catalog/snapshots/good-fetch-store.ts'
import { showSnapshot } from '../../src/catalog/snapshots/show-snapshot.ts'
import {
  keepSnapshots,
  readSnapshot,
  snapshotFacts,
  storeSnapshot,
} from '../../src/catalog/snapshots/snapshot-store.ts'
import { DAY, type Instant, plus } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'
import { someoneWaits } from '../support/locks.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const db = testDatabase()
beforeEach(() =>
  db.sql`delete from good_fetch; delete from source_fetch; delete from source; delete from snapshot`.simple(),
)
const store = (text: string, more: { at?: Instant; contentType?: string; address?: string } = {}) =>
  storeSnapshot(db.sql, { bytes: Buffer.from(text), at: AT, ...more })

describe('a snapshot', () => {
  it('is kept once, with where and when its bytes were read first', async () => {
    const hash = await store('list', { contentType: 'text/plain\0', address: 'https://acme.example/\0' })
    expect(await store('list', { at: plus(AT, DAY), address: 'https://other.example' })).toBe(hash)
    const atOnce = await db.sql.begin(async (tx) => {
      await storeSnapshot(tx, { bytes: Buffer.from('at once'), at: AT })
      const other = store('at once')
      await someoneWaits(db.sql)
      return { other }
    })
    expect(await atOnce.other).toBe(await store('at once'))
    expect(await db.sql`select from snapshot`).toHaveLength(2)
    const facts = await snapshotFacts(db.sql, [hash, 'b'.repeat(64)])
    expect([...facts]).toEqual([
      [hash, { hash, size: 4, contentType: 'text/plain�', address: 'https://acme.example/�', readAt: AT }],
    ])
    expect(Buffer.from((await readSnapshot(db.sql, hash))!).toString()).toBe('list')
    expect(await readSnapshot(db.sql, 'b'.repeat(64))).toBeUndefined()
  })

  it('is shown as text, up to 256 KiB of it', async () => {
    const whole = await store('x'.repeat(256 * 1024))
    const longer = await store('y'.repeat(256 * 1024 + 1))
    expect(await showSnapshot(db.sql, whole)).toMatchObject({ size: 262_144, truncated: false })
    const shown = await showSnapshot(db.sql, longer)
    expect(shown).toMatchObject({ hash: longer, size: 262_145, truncated: true })
    expect(shown.text).toBe('y'.repeat(262_144))
    await expect(showSnapshot(db.sql, 'b'.repeat(64))).rejects.toMatchObject({ code: 'not_found' })
  })

  it('that is needed is kept from retention until the transaction ends, and one that is gone is refused', async () => {
    const hash = await store('old')
    await db.sql.begin(async (tx) => {
      await keepSnapshots(tx, [hash, hash])
      expect(await deleteUnusedSnapshots(db.sql, plus(AT, 31 * DAY), 10)).toBe(0)
    })
    await expect(db.sql.begin((tx) => keepSnapshots(tx, [hash, 'b'.repeat(64)]))).rejects.toThrow(
      'a snapshot was deleted while its prices were recorded',
    )
    expect(await deleteUnusedSnapshots(db.sql, plus(AT, 30 * DAY - 1), 10)).toBe(0)
    expect(await deleteUnusedSnapshots(db.sql, plus(AT, 30 * DAY), 10)).toBe(1)
  })

  it('and lines of the log are deleted as many at once as asked for; those that changed something stay', async () => {
    await db.sql`insert into source (source, kind, format, interval_seconds) values ('a', 'prices', 'curated', 300)`
    for (const text of ['1', '2', '3']) await store(text)
    for (const outcome of ['changed', 'unchanged', 'failed', 'quarantined'])
      await db.sql`insert into source_fetch (source, at, outcome) values ('a', ${AT}, ${outcome})`
    const later = plus(AT, 40 * DAY)
    expect([await deleteUnusedSnapshots(db.sql, later, 2), await deleteUnusedSnapshots(db.sql, later, 2)]).toEqual([
      2, 1,
    ])
    expect([await deleteOldFetches(db.sql, later, 2), await deleteOldFetches(db.sql, later, 2)]).toEqual([2, 1])
    expect(await db.sql`select outcome from source_fetch`).toEqual([{ outcome: 'changed' }])
  })
})

it('a good fetch is one of a list of prices, with the rank that its source has then', async () => {
  await db.sql`
    insert into source (source, kind, format, interval_seconds, rank, speaks_for, stale_after_seconds)
    values ('list', 'prices', 'curated', 300, 1, '{acme}', 7200), ('terms', 'terms', 'page', 300, 0, null, 1)`
  const record = (source: string) => db.sql.begin((tx) => recordGoodFetch(tx, source, AT))
  expect([await record('list'), await record('terms'), await record('unknown')]).toEqual([true, false, false])
  expect(await db.sql`select * from good_fetch`).toEqual([
    { source: 'list', at: AT, rank: 1, speaks_for: ['acme'], stale_after_seconds: 7200 },
  ])
})
