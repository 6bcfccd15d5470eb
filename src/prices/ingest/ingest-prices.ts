import { databaseNow, publishing } from '../../catalog/clock-store.ts'
import { decidedElsewhere, unknownProviders } from '../../catalog/provider-store.ts'
import type { SourceDeclaration } from '../../catalog/schema.ts'
import { claimPriceVersion, declarePriceSource, recordIngested } from '../../catalog/source-ingest-store.ts'
import { recordEvents } from '../../events/store.ts'
import { DAY, type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { ingestDrafts } from '../events/event-rules.ts'
import { quarantine } from '../plan/batch-rules.ts'
import { type Difference, difference, type Proposal } from '../plan/difference-rules.ts'
import { familyOf } from '../plan/origin-rules.ts'
import { type Plan, planIngest } from '../plan/plan-rules.ts'
import { usableObservations } from '../plan/sanity-rules.ts'
import { absent } from '../publish/apply-absences.ts'
import { applyPlan } from '../publish/apply-plan.ts'
import type { ParsedPrices } from '../schema.ts'
import { corroborated, recentPrices } from '../store/evidence-store.ts'
import { type KnownLine, type KnownSource, knownLines, knownSource } from '../store/line-state-store.ts'
import { updateLines } from '../store/publication-store.ts'
import { acceptedSnapshot, askAbout, askAboutSnapshot, askedRenames, refusals } from '../store/review-store.ts'
import { lineKey, resourceKey } from '../store/row-rules.ts'
import { addReports, emptyReport, type IngestReport, tally } from './ingest-report.ts'

export type { IngestReport } from './ingest-report.ts'

export type IngestInput = {
  source: SourceDeclaration
  /** SHA-256 of the snapshot, which is stored already. */
  snapshotHash: string
  parserVersion: number
  parsed: ParsedPrices
  /** Only for history: records at this instant instead of now. */
  at?: Instant
  /** No events and no questions: for importing history on first start. */
  quiet?: boolean
}

/** Another publication changed the same source's lines in between: plan again on what is there now. */
class StalePlanError extends Error {}
const ATTEMPTS = 5
/** A price that comes back within this time flips. */
const RECENT_MS = 7 * DAY

/** A first snapshot is recorded in publications of so many rows: none may hold the clock for long. */
const ROWS_AT_ONCE = 20_000

/**
 * Takes one parsed snapshot in: finds what differs from what is published, judges it, publishes or holds it and
 * records the events. The same snapshot read by a newer parser is adopted without events.
 */
export async function ingestPrices(sql: Sql, input: IngestInput, rowsAtOnce = ROWS_AT_ONCE): Promise<IngestReport> {
  let done = await ingestPart(sql, input, rowsAtOnce)
  for (let at = input.at; done.more; ) {
    if (at) at = plus(at, 1)
    const next = await ingestPart(sql, { ...input, at }, rowsAtOnce)
    done = { report: addReports(done.report, next.report), more: next.more }
  }
  return done.report
}

type Part = { report: IngestReport; more: boolean }

async function ingestPart(sql: Sql, input: IngestInput, rowsAtOnce: number): Promise<Part> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ingestOnce(sql, input, rowsAtOnce)
    } catch (error) {
      if (!(error instanceof StalePlanError) || attempt === ATTEMPTS) throw error
    }
  }
}

async function ingestOnce(sql: Sql, input: IngestInput, rowsAtOnce: number): Promise<Part> {
  const { source } = input.source
  await declarePriceSource(sql, input.source)
  const before = (await knownSource(sql, source))!
  const known = new Map((await knownLines(sql, source)).map((line) => [lineKey(line), line]))
  const { usable, suppressed } = usableObservations(input.parsed.observations)
  const diff = difference(known, usable)
  const report = { ...emptyReport(source), lines: usable.length, unchanged: diff.unchanged, suppressed }
  if (diff.duplicates > 0) tally(suppressed, 'duplicate_line', diff.duplicates)
  const refused = await quarantineOf(sql, input, before, diff, usable.length)
  if (refused) return { report: { ...report, quarantined: refused }, more: false }
  const adopted = before.ingestedHash === input.snapshotHash && before.ingestedParser !== input.parserVersion
  const now = input.at ?? (await databaseNow(sql))
  const plan = planIngest(known, diff, {
    now,
    first: before.ingestedAt === undefined,
    quiet: Boolean(input.quiet) || adopted,
    lastIngestedAt: before.ingestedAt,
    recentPrices: await recentPrices(sql, changedLines(diff), plus(now, -RECENT_MS)),
    corroborated: await corroborated(sql, source, familyOf(input.source.format), claims(diff)),
    refused: await refusals(sql, source),
    asked: await askedRenames(sql, source),
  })
  const more = before.ingestedAt === undefined && plan.publish.length > rowsAtOnce
  if (more) plan.publish = wholeResources(plan.publish, rowsAtOnce)
  count(report, plan)
  const finish = { source, snapshotHash: input.snapshotHash, parserVersion: input.parserVersion, lines: usable.length }
  if (await isInvisible(sql, input, plan)) {
    await sql.begin(async (tx) => {
      if (!(await claimPriceVersion(tx, source, before.priceVersion))) throw new StalePlanError()
      await updateLines(tx, [...absent(plan, now), ...plan.settled.map(seenAgain)])
      await askAbout(tx, source, now, plan.questions)
      await recordIngested(tx, finish, now)
    })
    return { report, more }
  }
  await publishing(
    sql,
    async (tx, stamp) => {
      if (!(await claimPriceVersion(tx, source, before.priceVersion))) throw new StalePlanError()
      const happened = await applyPlan(tx, stamp, input, plan)
      report.at = stamp.at
      if (!more) await recordIngested(tx, finish, stamp.at)
      if (input.quiet || adopted) return
      const silent = await decidedElsewhere(tx, source)
      const { drafts, suppressed: unsaid } = ingestDrafts(happened, known)
      for (const [reason, number] of Object.entries(unsaid)) tally(suppressed, reason, number)
      const told = drafts.filter((draft) => draft.type === 'provider.added' || !silent.has(draft.provider))
      if (told.length < drafts.length) tally(suppressed, 'secondary_source', drafts.length - told.length)
      await recordEvents(tx, stamp, told)
      for (const draft of told) tally(report.events, draft.type)
      report.resourcesAdded = drafts.filter((draft) => draft.type === 'resource.added').length
    },
    input.at,
  )
  return { report, more }
}

/** The first rows, up to where a resource ends: its first event lists all its lines. */
function wholeResources(proposals: Proposal[], rows: number): Proposal[] {
  const last = resourceKey(proposals[rows - 1]!.line)
  let end = rows
  while (end < proposals.length && resourceKey(proposals[end]!.line) === last) end++
  return proposals.slice(0, end)
}

const seenAgain = ({ lineId, current, decidedPrice }: KnownLine) => ({
  lineId,
  currentHash: current?.contentHash,
  decidedPrice,
  missingCount: 0,
})

async function quarantineOf(sql: Sql, input: IngestInput, before: KnownSource, diff: Difference, lines: number) {
  const changes = diff.proposals
    .filter((one) => one.kind === 'changed')
    .map((one) => ({ before: Number(one.known!.current!.price), after: Number(one.money.price) }))
  const compared = diff.unchanged + diff.settled.length + changes.length
  const found = quarantine(lines, before.ingestedLines ?? 0, changes, compared)
  if (!found) return undefined
  const { source } = input.source
  const accepted = await acceptedSnapshot(sql, source)
  if (accepted?.hash === input.snapshotHash) return undefined
  const at = input.at ?? (await databaseNow(sql))
  const question = { ...found, snapshotHash: input.snapshotHash, lines }
  await sql.begin((tx) => askAboutSnapshot(tx, source, at, question))
  return found
}

/** Whether nothing of the plan can be read as of an instant: then the publication clock is left alone. */
async function isInvisible(sql: Sql, input: IngestInput, plan: Plan): Promise<boolean> {
  const { publish, hold, released, superseded, renamed, removed, retired, settled } = plan
  const visible = [publish, hold, released, superseded, renamed, removed, retired].some((some) => some.length > 0)
  if (visible || settled.some((line) => line.removedAt)) return false
  const named = input.parsed.providers.map((one) => one.provider)
  return (await unknownProviders(sql, input.source.source, named)).length === 0
}

const changedLines = (diff: Difference) =>
  diff.proposals.flatMap(({ kind, known }) => (kind === 'changed' ? known!.lineId : []))

const claims = (diff: Difference) =>
  diff.proposals
    .filter((one) => one.kind === 'changed')
    .map(({ key, line, money }) => {
      const { provider, resource, dimension, unit, pricingTier } = line
      const { price, canonicalResource } = money
      return { key, provider, resource, dimension, unit, pricingTier, price, canonicalResource }
    })

function count(report: IngestReport, plan: Plan): void {
  const of = (kind: string) => plan.publish.filter((one) => one.kind === kind).length
  report.published = plan.publish.length + plan.released.length
  report.changed = of('changed')
  report.revised = of('revised')
  report.missing = plan.missing.length
  report.resourcesRemoved = plan.removed.length
  report.resourcesRenamed = plan.renamed.length
  for (const { reasons } of plan.hold) for (const reason of reasons) tally(report.held, reason)
  for (const { reason, resources } of plan.questions) tally(report.questions, reason, resources.length)
}
