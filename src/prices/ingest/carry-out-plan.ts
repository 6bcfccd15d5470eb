import { publishing, type Stamp } from '../../catalog/clock/clock-store.ts'
import { namesDiffer } from '../../catalog/providers/provider-store.ts'
import {
  claimPriceVersion,
  type IngestedSnapshot,
  readAgain,
  recordIngested,
} from '../../catalog/sources/source-ingest-store.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import { isListedMeanwhile } from '../authority/listed-meanwhile.ts'
import type { SettledAuthority, TakenOver } from '../authority/settle-authority.ts'
import { replaceUnsaid } from '../confirmation/confirmation-store.ts'
import { providerChanges } from '../events/change-rules.ts'
import type { Change } from '../events/change-schema.ts'
import type { Plan } from '../plan/schema.ts'
import { type Asking, reasonsToAsk, withAsking } from '../plan/sets/asking-rules.ts'
import { limitVolatileChanges } from '../publish/limit-volatile-changes.ts'
import {
  absentState,
  confirmedState,
  hasUnjudgedState,
  unjudgedState,
  waitingState,
} from '../publish/line-state-rules.ts'
import { recordChanges } from '../publish/record-changes.ts'
import type { KnownLine } from '../schema.ts'
import type { Batches } from '../staging/first-load-store.ts'
import { syncAbsenceReviews } from '../store/absence-review-store.ts'
import { recordContent } from '../store/ingested-content-store.ts'
import { noteSpellings, updateLines } from '../store/publication-store.ts'
import { recordVerdicts } from '../store/review-store.ts'
import { closeSnapshotReview } from '../store/snapshot-review-store.ts'
import type { Upcoming } from '../upcoming/schema.ts'
import { type Announcing, announcesNews, settleUpcoming } from '../upcoming/settle-upcoming.ts'
import { repeatUpcoming } from '../upcoming/upcoming-store.ts'
import { countPublished, type IngestReport, type PublicationSummary } from './ingest-report.ts'
import { verdictOf } from './publication-rules.ts'
import { publishFirstBatches, recordFirstChanges } from './publish-first-batches.ts'
import { publishPlan } from './publish-plan.ts'
import type { StagedInput } from './schema.ts'

/** Another publication changed the lines of the source in between: plan again on what is there now. */
export class StalePlanError extends Error {}

/** A plan with what carrying it out needs. */
export type Work = {
  input: StagedInput
  plan: Plan
  known: Map<string, KnownLine>
  /** Known lines of which the snapshot says something else than what is served then. */
  unsaid: string[]
  /** Resources that the source takes over from others, and those others as they were compared with. */
  takenOver: TakenOver[]
  takenFrom: SettledAuthority['from']
  /** What other sources listed when that was decided; undefined where nothing is compared with it. */
  seen?: SettledAuthority['seen']
  /** What decides which of the items that open ask a person. */
  asking: Asking
  /** What the snapshot announces for days to come. */
  upcoming: Upcoming[]
  quiet: boolean
  /** A newer parser rereads a snapshot. */
  reread: boolean
  /** The batch of a first load that belongs into the same publication. */
  lastBatch?: number
  /** Of the source's lines when they were compared. */
  priceVersion: string
  ingested: IngestedSnapshot
  /** Nothing of the source was ingested before. */
  isFirstSnapshot: boolean
  /** That its first lines begin is not news: the installation served others before. */
  startsQuietly: boolean
  /** The hash of what the snapshot says, if that is not what the last one said. */
  content?: string
}

/** Carries a plan out: as a publication, or without one where no reader can see a difference. */
export async function carryOut(sql: Sql, work: Work, now: Instant, report: IngestReport): Promise<void> {
  if ((await isInvisible(sql, work)) && !(await announcesNews(sql, announcingOf(work), now)))
    await confirmLines(sql, work, now)
  else await publish(sql, work, report)
}

/** Whether no reader can see a difference: then the publication clock is left alone. */
async function isInvisible(sql: Sql, { input, plan, takenOver, lastBatch }: Work): Promise<boolean> {
  if (lastBatch !== undefined || takenOver.length > 0) return false
  const { publish, hold, released, superseded, renamed, removed, retired, confirmed } = plan
  const visible = [publish, hold, released, superseded, renamed, removed, retired].some((list) => list.length > 0)
  if (visible || confirmed.some((line) => line.removedAt)) return false
  const named = input.parsed.providers.map(({ provider }) => provider)
  return !(await namesDiffer(sql, input.source.source, named))
}

/** Records that lines were seen or missing, in a transaction without a publication. */
async function confirmLines(sql: Sql, work: Work, now: Instant): Promise<void> {
  const { plan, ingested, asking } = work
  const { source } = ingested
  await sql.begin(async (tx) => {
    await claimLines(tx, work)
    await updateLines(tx, [
      ...plan.missing.map((line) => absentState(line, now, plan.reasonsToAsk)),
      ...plan.confirmed.map(confirmedState),
      ...plan.waiting.map(waitingState),
      ...plan.unjudged.filter(hasUnjudgedState).map(unjudgedState),
    ])
    await recordVerdicts(tx, plan.waiting.map(verdictOf), reasonsToAsk(asking))
    if (!plan.keepsOpenItems) await syncAbsenceReviews(tx, source, now, withAsking(plan.toReview, asking))
    if (!work.reread) await repeatUpcoming(tx, source, now, 1)
    await recordDone(tx, work, now)
  })
}

/** Records what the lines of the source now follow from. */
async function recordDone(tx: Tx, { ingested, content, plan, unsaid }: Work, at: Instant): Promise<void> {
  await replaceUnsaid(tx, ingested.source, unsaid)
  await noteSpellings(tx, plan.respelled)
  await recordIngested(tx, ingested, at)
  if (content) await recordContent(tx, ingested.source, content, at)
  await closeSnapshotReview(tx, ingested.source, at)
}

async function publish(sql: Sql, work: Work, report: IngestReport): Promise<void> {
  const { input, plan, known, takenOver, takenFrom, asking, lastBatch } = work
  const publishNow = async (tx: Tx, stamp: Stamp) => {
    await claimToPublish(tx, work, stamp.at)
    if (takenOver.length > 0) await claimTakenFrom(tx, takenFrom)
    const first =
      lastBatch === undefined ? [] : await publishBatches(tx, stamp, work, { from: lastBatch, to: lastBatch })
    const changes = [
      ...(await publishPlan(tx, stamp, input, { plan, known, takenOver, asking })),
      ...(await settleUpcoming(tx, stamp, announcingOf(work))),
    ]
    await recordDone(tx, work, stamp.at)
    return [...first, { at: stamp.at, rows: 0, ...(await sendChanges(tx, stamp, work, changes)) }]
  }
  for (const part of await publishing(sql, publishNow, input.at)) countPublished(report, part)
}

/** Publishes batches of a first load in a publication of their own. */
export async function publishBatchesAlone(sql: Sql, work: Work, batches: Batches, report: IngestReport): Promise<void> {
  const publishNow = async (tx: Tx, stamp: Stamp) => {
    await claimToPublish(tx, work, stamp.at)
    return publishBatches(tx, stamp, work, batches)
  }
  for (const part of await publishing(sql, publishNow, work.input.at)) countPublished(report, part)
}

async function publishBatches(tx: Tx, stamp: Stamp, work: Work, batches: Batches): Promise<PublicationSummary[]> {
  const { at } = stamp
  const first = await publishFirstBatches(tx, stamp, work.input, batches)
  const published = { at, rows: first.rows }
  if (work.quiet) return [published]
  const providers = await sendChanges(tx, stamp, work, providerChanges(first))
  const recorded = work.startsQuietly
    ? { ids: [], events: {}, suppressed: { first_snapshot: first.rows } }
    : await recordFirstChanges(tx, stamp, work.input, batches, first)
  return [published, { at, rows: 0, ...providers }, { at, rows: 0, resourcesAdded: first.added.length, recorded }]
}

const announcingOf = ({ input, ingested, upcoming, reread }: Work): Announcing => {
  const { source, snapshotHash, parserVersion } = ingested
  return { source, table: input.staged.table, upcoming, snapshotHash, parserVersion, reread }
}

async function claimLines(tx: Tx, { ingested, priceVersion }: Work): Promise<void> {
  if (!(await claimPriceVersion(tx, ingested.source, priceVersion))) throw new StalePlanError()
}

/** Also plans again what another source began to list meanwhile: one of both decides about it. */
async function claimToPublish(tx: Tx, work: Work, at: Instant): Promise<void> {
  await claimLines(tx, work)
  const { input, seen } = work
  const snapshot = { source: input.source.source, table: input.staged.table }
  if (seen && (await isListedMeanwhile(tx, snapshot, seen, at))) throw new StalePlanError()
}

/** A source that loses resources must not have changed since it was compared with, and gives way by its own next check. */
async function claimTakenFrom(tx: Tx, from: SettledAuthority['from']): Promise<void> {
  for (const { source, priceVersion } of from) {
    if (!(await claimPriceVersion(tx, source, priceVersion))) throw new StalePlanError()
    await readAgain(tx, source)
  }
}

/** Records the events of changes. A quiet import has none. */
async function sendChanges(tx: Tx, stamp: Stamp, work: Work, changes: Change[]) {
  const { input, quiet, isFirstSnapshot, startsQuietly } = work
  if (quiet) return undefined
  const { source } = input.source
  const sent = await limitVolatileChanges(tx, stamp, input.source, changes)
  return {
    resourcesAdded: changes.filter(({ kind }) => kind === 'resourceAdded').length,
    suppressed: sent.suppressed,
    recorded: await recordChanges(tx, stamp, source, sent.changes, { isFirstSnapshot, startsQuietly }),
  }
}
