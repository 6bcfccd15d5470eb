import { databaseNow } from '../../catalog/clock/clock-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type Quarantine, quarantine } from '../plan/difference/batch-rules.ts'
import { differsWidely } from '../plan/difference/content-rules.ts'
import { hasWaited } from '../plan/holds/end-rules.ts'
import type { Difference } from '../plan/schema.ts'
import { servedRow } from '../schema.ts'
import { saidBefore } from '../store/ingested-content-store.ts'
import type { KnownSource } from '../store/line-state-store.ts'
import { decidedSnapshot, openSnapshotReview } from '../store/snapshot-review-store.ts'
import type { StagedInput } from './schema.ts'

type Snapshot = { lines: number; content?: string; before: KnownSource }

/**
 * Quarantines a snapshot that cannot be a complete price list of today, and opens an item to review about it. Returns
 * the reason; undefined when the snapshot is ingested, because nothing is wrong or because a person approved it. A list
 * that a source served before is believed once the source repeated it. One that a person rejected is not asked about again.
 */
export async function quarantineSnapshot(
  sql: Sql,
  input: StagedInput,
  diff: Difference,
  { lines, content, before }: Snapshot,
): Promise<Quarantine | undefined> {
  const { source } = input.source
  const accepted = await decidedSnapshot(sql, source, 'approved')
  const rejected = await decidedSnapshot(sql, source, 'rejected')
  const isThis = (decided?: { hash: string; content: string | null }) =>
    decided !== undefined && (decided.hash === input.snapshotHash || (content && decided.content === content))
  if (isThis(accepted) || isAnnouncement(input, { lines, content, before })) return undefined
  const found = doubtAbout(diff, lines, linesBefore(before, accepted)) ?? (await servedAgain(sql, input, diff, content))
  if (!found || isThis(rejected)) return found
  const at = input.at ?? (await databaseNow(sql))
  const item = { ...found, snapshotHash: input.snapshotHash, content: content ?? '', lines }
  const wait = await sql.begin((tx) => openSnapshotReview(tx, source, at, item))
  return found.reason === 'served_again' && hasWaited(wait, at) ? undefined : found
}

/** A list that only announces providers, of a source that never had a price. */
const isAnnouncement = ({ parsed, suppressed }: StagedInput, { lines, before }: Snapshot): boolean =>
  lines === 0 && !before.ingestedLines && parsed.providers.length > 0 && Object.keys(suppressed).length === 0

function doubtAbout(diff: Difference, lines: number, before: number): Quarantine | undefined {
  const changes = diff.proposals
    .filter(({ kind }) => kind === 'changed')
    .map(({ known, money }) => ({ before: Number(servedRow(known!)!.price), after: Number(money.price) }))
  return quarantine(lines, before, changes, diff.unchanged + diff.confirmed.length + changes.length)
}

/** A person who approved a shorter list since the last good one expects lists of that length from then on. */
function linesBefore(before: KnownSource, accepted?: { lines: number; decidedAt: Instant }): number {
  const lines = before.ingestedLines ?? 0
  const isNewer = accepted && before.ingestedAt && accepted.decidedAt > before.ingestedAt
  return isNewer ? Math.min(lines, accepted.lines) : lines
}

async function servedAgain(
  sql: Sql,
  { source: { source }, quiet }: StagedInput,
  diff: Difference,
  content: string | undefined,
): Promise<Quarantine | undefined> {
  if (quiet || !content || !differsWidely(diff)) return undefined
  const at = await saidBefore(sql, source, content)
  if (!at) return undefined
  const message = `The source serves the price list of ${at} again. It is ingested once the source repeats it for a day.`
  return { reason: 'served_again', message }
}
