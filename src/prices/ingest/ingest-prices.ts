import { publishing, type Stamp } from '../../catalog/clock-store.ts'
import { creditPriced, unknownProviders } from '../../catalog/provider-store.ts'
import {
  claimPriceVersion,
  declarePriceSource,
  type Ingested,
  recordIngested,
} from '../../catalog/source-ingest-store.ts'
import { tally } from '../../lib/collections.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { firstResources, planIngest } from '../plan/plan-rules.ts'
import { usableObservations } from '../plan/sanity-rules.ts'
import type { Plan } from '../plan/schema.ts'
import { dampChanges } from '../publish/damp-changes.ts'
import {
  absentState,
  confirmedState,
  hasUnjudgedState,
  unjudgedState,
  waitingState,
} from '../publish/line-state-rules.ts'
import { recordChanges } from '../publish/record-changes.ts'
import type { KnownLine } from '../schema.ts'
import { contentOf, readingAll } from '../staging/compare-store.ts'
import { withStagedPrices } from '../staging/stage-prices.ts'
import { stagedText } from '../staging/staged-line-rules.ts'
import { recordContent } from '../store/ingested-content-store.ts'
import { type KnownSource, knownSource } from '../store/line-state-store.ts'
import { updateLines } from '../store/publication-store.ts'
import { closeSnapshotReview, recordVerdicts, syncAbsenceReviews } from '../store/review-store.ts'
import { compareStaged } from './compare-staged.ts'
import { gatherFacts } from './gather-facts.ts'
import { addReports, countEvents, countPlan, type IngestReport, startReport, tallyDuplicates } from './ingest-report.ts'
import { verdictOf } from './publication-rules.ts'
import { publishPlan } from './publish-plan.ts'
import { quarantineSnapshot } from './quarantine-snapshot.ts'
import type { IngestInput, StagedInput } from './schema.ts'

export type { IngestReport } from './ingest-report.ts'
export type { IngestInput } from './schema.ts'

/** Another publication changed the lines of the source in between: plan again on what is there now. */
class StalePlanError extends Error {}
const MAX_ATTEMPTS = 5

/** A first snapshot is recorded in publications of so many rows: none may hold the clock for long. */
const ROWS_AT_ONCE = 20_000

/**
 * Ingests one parsed snapshot: compares it with what is published, publishes or holds each difference and records the
 * events. The same snapshot read by a newer parser is adopted without events.
 */
export function ingestPrices(sql: Sql, input: IngestInput, rowsAtOnce = ROWS_AT_ONCE): Promise<IngestReport> {
  const { observations, unreadable: unread = [] } = input.parsed
  const { usable, unreadable, suppressed } = usableObservations(observations)
  const text = stagedText(usable, [...unread, ...unreadable])
  return withStagedPrices(sql, input.source.source, text, async (staged) => {
    tallyDuplicates(suppressed, staged.duplicates)
    return ingestStaged(sql, { ...input, staged, suppressed }, rowsAtOnce)
  })
}

/** Ingests a snapshot whose lines are staged. */
export async function ingestStaged(sql: Sql, input: StagedInput, rowsAtOnce = ROWS_AT_ONCE): Promise<IngestReport> {
  await declarePriceSource(sql, input.source)
  let done = await ingestPart(sql, input, rowsAtOnce)
  for (let at = input.at; done.more; ) {
    if (at) at = plus(at, 1)
    const next = await ingestPart(sql, { ...input, at }, rowsAtOnce)
    done = { report: addReports(done.report, next.report), more: next.more }
  }
  return done.report
}

type Part = { report: IngestReport; more: boolean }

async function ingestPart(sql: Sql, input: StagedInput, rowsAtOnce: number): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ingestOnce(sql, input, rowsAtOnce)
    } catch (error) {
      if (!(error instanceof StalePlanError) || attempt === MAX_ATTEMPTS) throw error
    }
  }
}

async function ingestOnce(sql: Sql, input: StagedInput, rowsAtOnce: number): Promise<Part> {
  const { source } = input.source
  const { staged, suppressed } = input
  const before = (await knownSource(sql, source))!
  const { lines, known, diff } = await compareStaged(sql, source, staged)
  // A list that says the same as the last one need not be recognized.
  const differs = diff.unchanged < lines || diff.missing.length > 0
  const content = differs ? await readingAll(sql, (tx) => contentOf(tx, staged.table)) : undefined
  const quarantined = await quarantineSnapshot(sql, input, diff, { lines, content, before })
  const report = startReport(source, { lines, diff, suppressed: { ...suppressed } })
  if (quarantined) return { report: { ...report, quarantined }, more: false }
  const adopted = before.ingestedHash === input.snapshotHash && before.ingestedParser !== input.parserVersion
  const quiet = Boolean(input.quiet) || adopted
  const facts = await gatherFacts(sql, input, diff, { before, quiet, staged })
  const plan = planIngest(known, diff, facts)
  const more = facts.first && plan.publish.length > rowsAtOnce
  if (more) plan.publish = firstResources(plan.publish, rowsAtOnce)
  countPlan(report, plan)
  const { snapshotHash, parserVersion } = input
  const work = {
    input,
    plan,
    known,
    quiet,
    more,
    before,
    content,
    listed: facts.listed.resources,
    ingested: { source, snapshotHash, parserVersion, lines },
  }
  if (await isInvisible(sql, input, plan)) await confirmLines(sql, work, facts.now)
  else await publish(sql, work, report)
  return { report, more }
}

type Work = {
  input: StagedInput
  plan: Plan
  known: Map<string, KnownLine>
  quiet: boolean
  /** The snapshot has rows left for another publication. */
  more: boolean
  before: KnownSource
  ingested: Ingested
  /** How many resources providers had before. */
  listed: Map<string, number>
  /** The hash of what the snapshot says, if that is not what the last one said. */
  content?: string
}

/** Whether no reader can see a difference: then the publication clock is left alone. */
async function isInvisible(sql: Sql, input: StagedInput, plan: Plan): Promise<boolean> {
  const { publish, hold, released, superseded, renamed, removed, retired, confirmed } = plan
  const visible = [publish, hold, released, superseded, renamed, removed, retired].some((list) => list.length > 0)
  if (visible || confirmed.some((line) => line.removedAt)) return false
  const { providers } = input.parsed
  const inCredits = providers.filter((provider) => provider.creditPriced).map(({ provider }) => provider)
  if ((await creditPriced(sql, inCredits)).size < new Set(inCredits).size) return false
  const named = providers.map(({ provider }) => provider)
  return (await unknownProviders(sql, input.source.source, named)).length === 0
}

/** Records that lines were seen or missing, in a transaction without a publication. */
async function confirmLines(sql: Sql, work: Work, now: Instant): Promise<void> {
  const { plan, before, ingested } = work
  const { source } = ingested
  await sql.begin(async (tx) => {
    if (!(await claimPriceVersion(tx, source, before.priceVersion))) throw new StalePlanError()
    await updateLines(tx, [
      ...plan.missing.map((line) => absentState(line, now)),
      ...plan.confirmed.map(confirmedState),
      ...plan.waiting.map(waitingState),
      ...plan.unjudged.filter(hasUnjudgedState).map(unjudgedState),
    ])
    await recordVerdicts(tx, plan.waiting.map(verdictOf))
    await syncAbsenceReviews(tx, source, now, plan.toReview)
    await recordDone(tx, work, now)
  })
}

/** Records what the lines of the source now follow from. */
async function recordDone(tx: Tx, { ingested, content }: Work, at: Instant): Promise<void> {
  await recordIngested(tx, ingested, at)
  if (content) await recordContent(tx, ingested.source, content, at)
  await closeSnapshotReview(tx, ingested.source, at)
}

async function publish(sql: Sql, work: Work, report: IngestReport): Promise<void> {
  const { input, plan, known, before } = work
  const { source } = work.ingested
  const publishNow = async (tx: Tx, stamp: Stamp) => {
    if (!(await claimPriceVersion(tx, source, before.priceVersion))) throw new StalePlanError()
    const changes = await publishPlan(tx, stamp, input, plan, known)
    report.at = stamp.at
    if (!work.more) await recordDone(tx, work, stamp.at)
    if (work.quiet) return
    const sent = await dampChanges(tx, stamp, input.source, changes)
    if (sent.damped > 0) tally(report.suppressed, 'volatile', sent.damped)
    countEvents(report, changes, await recordChanges(tx, stamp, source, sent.changes, { listed: work.listed }))
  }
  await publishing(sql, publishNow, input.at)
}
