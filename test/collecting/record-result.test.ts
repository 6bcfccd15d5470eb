import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import { claimSource, declareSources, recentFetches, sourceState } from '../../src/catalog/sources/source-store.ts'
import { type Result, recordResult } from '../../src/collecting/record-result.ts'
import type { CollectTools } from '../../src/collecting/schema.ts'
import type { FetchResult } from '../../src/collectors/fetch/schema.ts'
import { HOUR, type Instant, MINUTE, plus } from '../../src/lib/instant.ts'
import { createLog } from '../../src/lib/log.ts'
import { testDatabase } from '../support/database.ts'

const AT = '2026-11-21T10:00:00.000Z' as Instant
const URL = 'https://acme.example/list'
const db = testDatabase()
beforeEach(() => db.sql`delete from good_fetch; delete from source_fetch; delete from source`.simple())

const source = (kind: 'prices' | 'terms' = 'prices') => ({
  ...sourceDeclaration.parse({ source: 'list', format: 'curated', url: URL, intervalSeconds: 3600 }),
  kind,
})
const claim = async (at: Instant) => {
  const taken = await claimSource(db.sql, { source: 'list', id: randomUUID(), now: at, until: plus(at, MINUTE) })
  return { ...taken!, signal: new AbortController().signal }
}
/** Records what came of a collection. Returns what is reported, and the state after it. */
async function collected(result: Partial<Result>, { at = AT, kind = 'prices' as 'prices' | 'terms' } = {}) {
  await declareSources(db.sql, [source(kind)])
  const tools = { sql: db.sql, log: createLog('silent') } as CollectTools
  const outcome = await recordResult(tools, source(kind), await claim(at), at, { durationMs: 1_200.6, ...result })
  return { outcome, state: (await sourceState(db.sql, 'list'))! }
}
const confirmed = async () => (await db.sql`select at from good_fetch`).length
const http = (headers: Record<string, string> = {}, status = 200) => ({ status, headers, url: URL })
const bytes = (more: Partial<Extract<FetchResult, { kind: 'bytes' }>> = {}): FetchResult => ({
  ...{ kind: 'bytes', from: 'url', bytes: Buffer.from('list'), http: http({ etag: '"1"', 'last-modified': 'then' }) },
  ...more,
})
const keep = () => storeSnapshot(db.sql, { bytes: Buffer.from('list'), at: AT })

describe('what came of a collection', () => {
  it('is reported and recorded, with the validators for the next request', async () => {
    const snapshotHash = await keep()
    const ignored = [{ reason: 'odd', count: 1, example: 'x' }]
    const derived = { outcome: 'changed', snapshotHash, parserVersion: 4, published: 3, held: 1, ignored } as const
    const { outcome, state } = await collected({ fetched: bytes(), derived: { ...derived, report: { published: 3 } } })
    expect(outcome).toEqual({
      ...{ source: 'list', outcome: 'changed', from: 'url', problem: undefined, unreachable: undefined },
      ...{ published: 3, held: 1, ignored, durationMs: 1_201 },
    })
    expect(state).toMatchObject({
      ...{ etag: '"1"', lastModified: 'then', fetchedUrl: URL, snapshotHash, parserVersion: 4 },
      ...{ lastGoodAt: AT, nextDueAt: plus(AT, HOUR), failures: 0 },
    })
    expect(await recentFetches(db.sql, 'list')).toMatchObject([
      { outcome: 'changed', snapshotHash, httpStatus: 200, report: { published: 3 } },
    ])
    expect(await confirmed()).toBe(1)
  })

  it('keeps the validators where the source says that nothing changed, unless it sends new ones', async () => {
    const snapshotHash = await keep()
    const derived = { outcome: 'unchanged', snapshotHash } as const
    await collected({ fetched: bytes(), derived })
    const unchanged = (headers: Record<string, string>, hours: number) =>
      collected({ fetched: { kind: 'unchanged', http: http(headers, 304) }, derived }, { at: plus(AT, hours * HOUR) })
    const { outcome, state } = await unchanged({}, 1)
    expect(outcome).toMatchObject({ outcome: 'unchanged', from: 'stored', unreachable: false })
    expect(state).toMatchObject({ etag: '"1"', lastModified: 'then', lastGoodAt: plus(AT, HOUR) })
    expect((await unchanged({ etag: '"2"', 'last-modified': 'now' }, 2)).state).toMatchObject({
      ...{ etag: '"2"', lastModified: 'now' },
    })
    // Other bytes without validators: the old ones are not those of the new bytes.
    const plain = await collected({ fetched: bytes({ http: http() }), derived }, { at: plus(AT, 3 * HOUR) })
    expect([plain.state.etag, plain.state.lastModified]).toEqual([undefined, undefined])
  })

  it('of a bundled release or a file says nothing about today, and where a file was not read from', async () => {
    const derived = { outcome: 'changed', snapshotHash: await keep() } as const
    const note = 'The bundled release is used.'
    const bundled = bytes({ from: 'bundled', http: undefined, note, unreachable: true })
    const { outcome, state } = await collected({ fetched: bundled, derived })
    expect(outcome).toMatchObject({ outcome: 'changed', from: 'bundled', problem: note, unreachable: true })
    expect(state).toMatchObject({ problem: note, failures: 1, nextDueAt: plus(AT, 5 * MINUTE) })
    expect([state.lastGoodAt, state.fetchedUrl]).toEqual([undefined, undefined])
    expect(await confirmed()).toBe(0)
    const file = await collected({ fetched: bytes({ from: 'file', http: undefined }), derived })
    expect(file.outcome).toMatchObject({ from: 'file' })
    expect(file.state).toMatchObject({ lastGoodAt: AT, failures: 0 })
  })

  it('that failed says why, and is tried again later each time, never sooner than it asks', async () => {
    const failed: FetchResult = { kind: 'failed', problem: 'it answered 503.', http: http({}, 503), unreachable: true }
    const first = await collected({ fetched: failed })
    expect(first.outcome).toMatchObject({ outcome: 'failed', problem: 'it answered 503.', unreachable: true })
    expect(first.outcome.from).toBeUndefined()
    expect(first.state).toMatchObject({ nextDueAt: plus(AT, 5 * MINUTE), failures: 1 })
    const second = await collected({ fetched: failed }, { at: plus(AT, HOUR) })
    expect(second.state).toMatchObject({ nextDueAt: plus(AT, HOUR + 10 * MINUTE), failures: 2 })
    const asked = await collected({ fetched: { ...failed, retryAfterMs: 2 * HOUR } }, { at: plus(AT, 2 * HOUR) })
    expect(asked.state.nextDueAt).toBe(plus(AT, 4 * HOUR))
    expect((await recentFetches(db.sql, 'list'))[0]).toMatchObject({ httpStatus: 503, reason: 'it answered 503.' })
    expect(await confirmed()).toBe(0)
  })

  it('that is quarantined is tried again like a failure, a document not before its interval', async () => {
    const derived = {
      outcome: 'quarantined' as const,
      problem: 'cut off',
      snapshotHash: await keep(),
      nextChangeAt: plus(AT, MINUTE),
    }
    const list = await collected({ fetched: bytes(), derived })
    expect(list.outcome).toMatchObject({ outcome: 'quarantined', problem: 'cut off' })
    expect(list.state).toMatchObject({ nextDueAt: plus(AT, 5 * MINUTE), failures: 1 })
    expect([list.state.lastGoodAt, await confirmed()]).toEqual([undefined, 0])
    await db.sql`delete from source_fetch`
    await db.sql`delete from source`
    const page = () => collected({ fetched: bytes(), derived }, { kind: 'terms' })
    expect((await page()).state.nextDueAt).toBe(plus(AT, HOUR))
    expect((await page()).state.nextDueAt).toBe(plus(AT, 2 * HOUR))
    expect(
      (await collected({ fetched: bytes(), derived: { outcome: 'unchanged' } }, { kind: 'terms' })).state,
    ).toMatchObject({
      ...{ nextDueAt: plus(AT, HOUR), failures: 0, lastGoodAt: AT },
    })
    // A document confirms no price.
    expect(await confirmed()).toBe(0)
    expect((await collected({ fetched: { kind: 'failed', problem: 'no' } }, { kind: 'terms' })).state.nextDueAt).toBe(
      plus(AT, 5 * MINUTE),
    )
  })

  it('is due again sooner where it is known to change or has to be looked at again', async () => {
    const due = async (nextChangeAt?: Instant, recheckAt?: Instant) => {
      const { state } = await collected({
        fetched: bytes(),
        derived: { outcome: 'unchanged', nextChangeAt, recheckAt },
      })
      return (Date.parse(state.nextDueAt) - Date.parse(AT)) / MINUTE
    }
    expect(await due(plus(AT, 20 * MINUTE))).toBe(20)
    expect(await due(plus(AT, 2 * HOUR), plus(AT, 30 * MINUTE))).toBe(30)
    expect(await due(plus(AT, 20 * MINUTE), plus(AT, 30 * MINUTE))).toBe(20)
    expect(await due(AT, plus(AT, -MINUTE))).toBe(60)
    expect((await sourceState(db.sql, 'list'))!.nextChangeAt).toBe(AT)
  })

  it('is not recorded where another worker has claimed the source meanwhile', async () => {
    await declareSources(db.sql, [source()])
    const lost = await claim(AT)
    await claim(plus(AT, MINUTE))
    const tools = { sql: db.sql, log: createLog('silent') } as CollectTools
    await expect(recordResult(tools, source(), lost, AT, { fetched: bytes(), durationMs: 1 })).rejects.toThrow(
      'list was claimed by another worker',
    )
    expect([await recentFetches(db.sql, 'list'), await confirmed()]).toEqual([[], 0])
  })
})
