import { readSnapshot } from '../catalog/snapshots/snapshot-store.ts'
import type { SourceState } from '../catalog/sources/source-store.ts'
import { collectorFor } from '../collectors/index.ts'
import type { DeclaredSource } from '../collectors/sources-file.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'

/** A snapshot that was just fetched and is kept. */
export type Snapshot = { hash: string; bytes: Uint8Array; contentType?: string; bundled?: boolean }

type AtHand = {
  parserVersion: number
  snapshotHash?: string
  /**
   * The prices follow from these bytes, read by the same parser, no price that they announced has begun since, and no
   * decision needs them to be read again.
   */
  isRead: boolean
}

/** Returns which snapshot of a source is to be read: a fresh one, or else the one that was kept last. */
export function snapshotAtHand(source: DeclaredSource, state: SourceState, now: Instant, fresh?: Snapshot): AtHand {
  const collector = collectorFor(source.format)
  if (!collector) throw new Error(`no collector reads ${source.format}`)
  const { parserVersion } = collector
  const snapshotHash = fresh?.hash ?? state.snapshotHash
  const begun = state.nextChangeAt !== undefined && state.nextChangeAt <= now
  const isSame =
    snapshotHash !== undefined &&
    snapshotHash === state.snapshotHash &&
    snapshotHash === state.ingestedHash &&
    state.parserVersion === parserVersion &&
    !state.readAgain
  return { parserVersion, snapshotHash, isRead: isSame && !begun }
}

/** Returns the bytes of a snapshot with its hash. @throws Error when it was deleted */
export async function bytesAtHand(
  sql: Sql,
  { source }: DeclaredSource,
  snapshotHash: string | undefined,
  fresh?: Snapshot,
): Promise<{ bytes: Uint8Array; snapshotHash: string }> {
  const bytes = fresh?.bytes ?? (snapshotHash && (await readSnapshot(sql, snapshotHash)))
  if (bytes && snapshotHash) return { bytes, snapshotHash }
  throw new Error(`${source}: nothing changed, but the snapshot at hand is gone`)
}
