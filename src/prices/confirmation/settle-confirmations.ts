import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { readingAll } from '../staging/compare-store.ts'
import type { LineState } from '../store/publication-store.ts'
import { confirmationOf } from './confirmation-rules.ts'
import {
  closePeriods,
  closeUnserved,
  lastBasis,
  type NewPeriod,
  noteSaid,
  type OpenPeriod,
  openNewPeriods,
  openPeriods,
  recordBasis,
  supersedeRows,
  unsettledLines,
} from './confirmation-store.ts'
import { differingLines, evidenceBasis, rowFacts } from './facts-store.ts'
import { isUnsaid } from './said-rules.ts'

/** Lines of one publication: a reader never waits for more than them. */
const LINES_AT_ONCE = 2_000

/** Records what is known of the rows of these lines, where it differs from what is recorded. */
async function settleLines(tx: Tx, at: Instant, lineIds: string[]): Promise<void> {
  if (lineIds.length === 0) return
  await closeUnserved(tx, at, lineIds)
  await supersedeRows(tx, at, lineIds)
  const facts = await rowFacts(tx, lineIds, at)
  const hashes = facts.map(({ contentHash }) => contentHash)
  const open = new Map((await openPeriods(tx, hashes)).map((period) => [period.contentHash, period]))
  const differing = facts.flatMap((row) => {
    const { contentHash, lineId, provider, source, basis } = row
    const now = confirmationOf(row)
    const period = now && { ...now, contentHash, lineId, provider, source, basis }
    return isRecorded(open.get(contentHash), period) ? [] : [{ contentHash, period }]
  })
  const ended = differing.filter(({ contentHash }) => open.has(contentHash))
  await closePeriods(tx, at, ended.map(({ contentHash }) => contentHash)) // biome-ignore format: one thought
  await openNewPeriods(tx, at, differing.flatMap(({ period }) => period ?? [])) // biome-ignore format: one thought
}

function isRecorded(open: OpenPeriod | undefined, period: NewPeriod | undefined): boolean {
  if (!open || !period) return !open && !period
  const { said, agree, disagree, contradictedSince, basis } = period
  return (
    !open.superseded &&
    [open.said, open.agree, open.disagree, open.basis].join() === [said, agree, disagree, basis].join() &&
    open.contradictedSince === (contradictedSince ?? null)
  )
}

/** Records what follows from a publication that changed the state of these lines. */
export async function settlePublished(tx: Tx, { at }: Stamp, lines: LineState[]): Promise<void> {
  const ids = (of: LineState[]) => of.map(({ lineId }) => lineId)
  const unsaid = lines.filter(isUnsaid)
  await noteSaid(tx, { said: ids(lines.filter((line) => !isUnsaid(line))), unsaid: ids(unsaid) })
  await settleLines(tx, at, ids(lines))
}

/** Records what follows from a good fetch of a source: which of its prices it no longer says, and which it says again. */
export async function settleFetched(tx: Tx, { at }: Stamp, source: string): Promise<void> {
  await settleLines(tx, at, await unsettledLines(tx, source))
}

/**
 * Records for all served rows what other sources say of them now. Nothing is compared where no source said anything new.
 * Returns of how many lines something was recorded. `at` is only for importing history.
 */
export async function settleEvidence(sql: Sql, now: Instant, at?: Instant): Promise<number> {
  const basis = await evidenceBasis(sql, now)
  if (basis === (await lastBasis(sql))) return 0
  const lines = await readingAll(sql, (tx) => differingLines(tx, now))
  for (let from = 0; from < lines.length; from += LINES_AT_ONCE) {
    const part = lines.slice(from, from + LINES_AT_ONCE)
    const stampedAt = at && plus(at, from / LINES_AT_ONCE)
    await publishing(sql, (tx, stamp) => settleLines(tx, stamp.at, part), stampedAt)
  }
  await recordBasis(sql, basis)
  return lines.length
}
