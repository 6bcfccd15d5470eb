import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { Wait } from '../plan/evidence/evidence-schema.ts'

/**
 * Opens an item about a quarantined snapshot; each source has one at most. Returns since when and how often the source
 * has served it. It asks a person unless time ends it: a list that is served again is ingested once it stays.
 */
export async function openSnapshotReview(
  tx: Tx,
  source: string,
  at: Instant,
  item: { reason: string; message: string; snapshotHash: string; content: string; lines: number },
): Promise<Wait> {
  const { reason, ...detail } = item
  await tx`
    update review set decided_at = ${at}, decision = 'superseded'
    where source = ${source} and kind = 'snapshot' and decided_at is null
      and detail->>'content' is distinct from ${item.content}`
  await tx`
    insert into review (source, provider, kind, reasons, detail, opened_at, asks)
    select ${source}, '*', 'snapshot', ${[reason]}, ${tx.json(detail)}, ${at}, ${reason !== 'served_again'}
    where not exists (select from review where source = ${source} and kind = 'snapshot' and decided_at is null)`
  const [open] = await tx<{ since: Instant; fetches: number }[]>`
    update review
    set detail = detail || jsonb_build_object('fetches', coalesce((detail->>'fetches')::integer, 0) + 1)
    where source = ${source} and kind = 'snapshot' and decided_at is null
    returning opened_at as since, (detail->>'fetches')::integer as fetches`
  return open!
}

/** Closes the item about a quarantined snapshot of a source: a good one came. */
export async function closeSnapshotReview(tx: Tx, source: string, at: Instant): Promise<void> {
  await tx`
    update review set decided_at = ${at}, decision = 'superseded'
    where source = ${source} and kind = 'snapshot' and decided_at is null`
}

type DecidedSnapshot = { hash: string; content: string | null; lines: number; decidedAt: Instant }

/** Returns the quarantined snapshot that a person approved or rejected last. */
export async function decidedSnapshot(
  db: Db,
  source: string,
  decision: 'approved' | 'rejected',
): Promise<DecidedSnapshot | undefined> {
  const [row] = await db<DecidedSnapshot[]>`
    select detail->>'snapshotHash' as hash, detail->>'content' as content, (detail->>'lines')::integer as lines, decided_at as "decidedAt"
    from review where source = ${source} and kind = 'snapshot' and decision = ${decision}
    order by decided_at desc limit 1`
  return row
}
