import { databaseNow } from '../../catalog/clock-store.ts'
import type { Sql } from '../../lib/sql.ts'
import { type Quarantine, quarantine } from '../plan/batch-rules.ts'
import type { Difference } from '../plan/schema.ts'
import { acceptedSnapshot, openSnapshotReview } from '../store/review-store.ts'
import type { IngestInput } from './schema.ts'

/**
 * Quarantines a snapshot that cannot be a complete price list, and opens an item to review about it. Returns the
 * reason; undefined when the snapshot is ingested, because nothing is wrong or because a person approved it.
 */
export async function quarantineSnapshot(
  sql: Sql,
  input: IngestInput,
  diff: Difference,
  counts: { lines: number; before: number },
): Promise<Quarantine | undefined> {
  const changes = diff.proposals
    .filter(({ kind }) => kind === 'changed')
    .map(({ known, money }) => ({ before: Number(known!.current!.price), after: Number(money.price) }))
  const compared = diff.unchanged + diff.confirmed.length + changes.length
  const found = quarantine(counts.lines, counts.before, changes, compared)
  if (!found) return undefined
  const { source } = input.source
  const accepted = await acceptedSnapshot(sql, source)
  if (accepted?.hash === input.snapshotHash) return undefined
  const at = input.at ?? (await databaseNow(sql))
  const item = { ...found, snapshotHash: input.snapshotHash, lines: counts.lines }
  await sql.begin((tx) => openSnapshotReview(tx, source, at, item))
  return found
}
