import { databaseNow } from '../../catalog/clock/clock-store.ts'
import { declarePriceSource } from '../../catalog/sources/source-ingest-store.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { NOTHING_TAKEN, settleAuthority } from '../authority/settle-authority.ts'
import { takenOver } from '../authority/taken-over-rules.ts'
import { unsaidLines } from '../confirmation/said-rules.ts'
import { usableObservations } from '../plan/difference/usable-observation-rules.ts'
import { planIngest } from '../plan/plan-rules.ts'
import { contentOf, readingAll } from '../staging/compare-store.ts'
import { withStagedPrices } from '../staging/stage-prices.ts'
import { stagedText } from '../staging/staged-line-rules.ts'
import type { Produce } from '../staging/staging-store.ts'
import { knownSource } from '../store/line-state-store.ts'
import { findUpcoming } from '../upcoming/find-upcoming.ts'
import { plausibleUpcoming } from '../upcoming/judge-rules.ts'
import { carryOut, publishBatchesAlone, StalePlanError, type Work } from './carry-out-plan.ts'
import { compareStaged } from './compare-staged.ts'
import { batchesAtOnce } from './first-load-rules.ts'
import { gatherFacts } from './gather-facts.ts'
import {
  addReports,
  countAnnounced,
  countPlan,
  type IngestReport,
  startReport,
  tallyDuplicates,
} from './ingest-report.ts'
import { quarantineSnapshot } from './quarantine-snapshot.ts'
import type { IngestInput, SettledInput, StagedInput } from './schema.ts'

export type { IngestReport } from './ingest-report.ts'
export type { IngestInput } from './schema.ts'

const MAX_ATTEMPTS = 5

/** A first snapshot is divided into batches of about this many rows, of which a publication has one or some. */
const ROWS_AT_ONCE = 20_000

/**
 * Ingests one parsed snapshot: compares it with what is published, publishes or holds each difference and records the
 * events. The same snapshot read by a newer parser is reread without events.
 */
export function ingestPrices(sql: Sql, input: IngestInput, rowsAtOnce = ROWS_AT_ONCE): Promise<IngestReport> {
  const { observations, unreadable: unread = [] } = input.parsed
  const { usable, unreadable, suppressed } = usableObservations(observations)
  const write: Produce<void> = async (to) => {
    for (const part of stagedText(usable, [...unread, ...unreadable])) await to(part)
  }
  return withStagedPrices(sql, input.source.source, write, async (staged) => {
    tallyDuplicates(suppressed, staged.duplicates)
    return ingestStaged(sql, { ...input, staged, suppressed }, rowsAtOnce)
  })
}

/** Ingests a snapshot whose lines are staged. */
export async function ingestStaged(sql: Sql, input: StagedInput, rowsAtOnce = ROWS_AT_ONCE): Promise<IngestReport> {
  await declarePriceSource(sql, input.source)
  // What an attempt published before another publication made it stale.
  let before: IngestReport | undefined
  let covered = 0
  for (let attempt = 1, at = input.at; ; attempt++) {
    const batches: Batches = { at }
    try {
      // Read before anything is compared, so that a publication in between makes this attempt stale.
      const state = (await knownSource(sql, input.source.source))!
      const settled = await settle(sql, { ...input, at }, attempt > 1)
      covered += settled.covered
      // While others publish again and again, the last attempt is made on what was seen.
      const authority = { ...settled, covered, seen: attempt < MAX_ATTEMPTS ? settled.seen : undefined }
      const report = await ingestOnce(sql, { ...input, at, authority, before: state }, rowsAtOnce, batches)
      return before ? addReports(before, report) : report
    } catch (error) {
      if (!(error instanceof StalePlanError) || attempt === MAX_ATTEMPTS) throw error
      if (batches.report) before = before ? addReports(before, batches.report) : batches.report
      at = batches.at
    }
  }
}

/** Imported history is of one source: it takes nothing over. */
const settle = async (sql: Sql, { source: { source }, staged, at, quiet }: StagedInput, again: boolean) =>
  quiet
    ? NOTHING_TAKEN
    : settleAuthority(sql, { source, table: staged.table, now: at ?? (await databaseNow(sql)), again })

/** The batches of a first load that were published, and the instant of the next publication. */
type Batches = { at?: Instant; report?: IngestReport }

async function ingestOnce(sql: Sql, input: SettledInput, rowsAtOnce: number, batches: Batches): Promise<IngestReport> {
  const { source } = input.source
  const { staged, suppressed, authority, before } = input
  const first = before.ingestedAt === undefined
  const compared = await compareStaged(sql, source, input, { first, rowsAtOnce })
  const { known, diff, firstLoad, taken } = compared
  const lines = compared.lines + authority.covered
  // A list that says the same as the last one need not be recognized.
  const differs = diff.unchanged < compared.lines || diff.missing.length > 0
  const content = differs ? await readingAll(sql, (tx) => contentOf(tx, staged.table)) : undefined
  const quarantined = await quarantineSnapshot(sql, input, diff, { lines, content, before })
  const report = startReport(source, { lines, diff, suppressed: { ...suppressed } })
  if (quarantined) return { ...report, quarantined }
  const reread = before.ingestedHash === input.snapshotHash && before.ingestedParser !== input.parserVersion
  const quiet = Boolean(input.quiet) || reread
  const announced = await findUpcoming(sql, input, known)
  const facts = await gatherFacts(sql, input, diff, { before, quiet, reread, staged, announced: announced.lines })
  const plan = planIngest(known, diff, facts)
  const upcoming = plausibleUpcoming(announced, facts)
  countAnnounced(report, announced, upcoming)
  countPlan(report, plan)
  const { snapshotHash, parserVersion } = input
  const work: Work = {
    input,
    plan,
    known,
    unsaid: unsaidLines(diff, plan),
    takenOver: takenOver(authority, { plan, known, taken }),
    takenFrom: authority.from,
    seen: authority.seen,
    asking: facts,
    upcoming,
    quiet,
    reread,
    content,
    lastBatch: firstLoad.batches > 0 ? firstLoad.batches - 1 : undefined,
    priceVersion: before.priceVersion,
    isFirstSnapshot: first,
    startsQuietly: first && before.startsQuietly,
    ingested: { source, snapshotHash, parserVersion, lines },
  }
  for (let from = 0, atOnce = 1; from < firstLoad.batches - 1; ) {
    const to = Math.min(from + atOnce, firstLoad.batches - 1) - 1
    const started = performance.now()
    await publishBatchesAlone(sql, work, { from, to }, report)
    atOnce = batchesAtOnce(to - from + 1, performance.now() - started)
    from = to + 1
    batches.report = report
    work.priceVersion = (BigInt(work.priceVersion) + 1n).toString()
    if (!work.input.at) continue
    batches.at = plus(work.input.at, 1)
    work.input = { ...work.input, at: batches.at }
  }
  await carryOut(sql, work, work.input.at ?? facts.now, report)
  return report
}
