import { describe, expect, it } from 'vitest'
import { storeSnapshot } from '../../src/catalog/snapshots/snapshot-store.ts'
import type { SourceState } from '../../src/catalog/sources/source-store.ts'
import { bytesAtHand, type Snapshot, snapshotAtHand } from '../../src/collecting/snapshot-at-hand.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import type { DeclaredSource } from '../../src/collectors/sources-file.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { testDatabase } from '../support/database.ts'

const now = '2026-11-21T10:00:00.000Z' as Instant
const SOURCE = { source: 'list', format: 'litellm' } as DeclaredSource
const { parserVersion } = collectorFor('litellm')!
const READ = { snapshotHash: 'a', ingestedHash: 'a', parserVersion, readAgain: false }
const atHand = (state: Partial<SourceState>, fresh?: Partial<Snapshot>) =>
  snapshotAtHand(SOURCE, { ...READ, ...state } as SourceState, now, fresh as Snapshot)

describe('a snapshot that did not change', () => {
  const isRead = (state: Partial<SourceState>) => atHand(state).isRead

  it('is read again by a newer parser, or once an announced price begins', () => {
    expect(isRead({})).toBe(true)
    expect(isRead({ parserVersion: parserVersion - 1 })).toBe(false)
    expect(isRead({ readAgain: true })).toBe(false)
    expect(isRead({ nextChangeAt: now })).toBe(false)
    expect(isRead({ nextChangeAt: '2026-11-21T09:59:59.999Z' as Instant })).toBe(false)
    expect(isRead({ nextChangeAt: '2026-11-21T10:00:00.001Z' as Instant })).toBe(true)
    expect(isRead({ nextChangeAt: '2026-11-21T10:00:00.001Z' as Instant, readAgain: true })).toBe(false)
  })

  it('is read again after another one was ingested and the process ended before that was recorded', () => {
    expect(isRead({ ingestedHash: 'b' })).toBe(false)
    expect(isRead({ snapshotHash: 'b' })).toBe(false)
    expect(isRead({ ingestedHash: undefined })).toBe(false)
    expect(isRead({ snapshotHash: undefined, ingestedHash: undefined })).toBe(false)
  })
})

describe('the snapshot at hand', () => {
  const db = testDatabase()

  it('is the fresh one, or else the one that was kept last, read by the parser of today', () => {
    expect(atHand({})).toEqual({ parserVersion, snapshotHash: 'a', isRead: true })
    expect(atHand({}, { hash: 'a' })).toEqual({ parserVersion, snapshotHash: 'a', isRead: true })
    expect(atHand({}, { hash: 'b' })).toEqual({ parserVersion, snapshotHash: 'b', isRead: false })
    // It was ingested, and another one is what was recorded.
    expect(atHand({ snapshotHash: 'c' }, { hash: 'a' }).isRead).toBe(false)
    expect(atHand({ snapshotHash: undefined }, { hash: 'a' }).isRead).toBe(false)
    const unknown = { ...SOURCE, format: 'unknown' }
    expect(() => snapshotAtHand(unknown, READ as SourceState, now)).toThrow('no collector reads unknown')
  })

  it('has its bytes, as long as they are kept', async () => {
    const kept = Buffer.from('kept')
    const hash = await storeSnapshot(db.sql, { bytes: kept, at: now })
    const fresh = { hash: 'b', bytes: Buffer.from('fresh') }
    const read = async (snapshotHash: string | undefined, given?: Snapshot) => {
      const { bytes, snapshotHash: of } = await bytesAtHand(db.sql, SOURCE, snapshotHash, given)
      return [Buffer.from(bytes).toString(), of]
    }
    expect(await read(hash)).toEqual(['kept', hash])
    expect(await read('b', fresh)).toEqual(['fresh', 'b'])
    for (const gone of [undefined, 'f'.repeat(64)])
      await expect(read(gone)).rejects.toThrow('list: nothing changed, but the snapshot at hand is gone')
  })
})
