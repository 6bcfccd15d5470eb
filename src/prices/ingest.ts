import { publishing, type Stamp } from '../catalog/clock-store.ts'
import { activateProviders, creditPriced, seeProviders } from '../catalog/provider-store.ts'
import { listResources } from '../catalog/resource-store.ts'
import type { SourceDeclaration } from '../catalog/schema.ts'
import { priceChangedEvent } from '../events/payloads/price-changed.ts'
import { providerAddedEvent } from '../events/payloads/provider-added.ts'
import { resourceAddedEvent } from '../events/payloads/resource-added.ts'
import type { EventDraft } from '../events/schema.ts'
import { recordEvents } from '../events/store.ts'
import type { Instant } from '../lib/instant.ts'
import type { Sql, Tx } from '../lib/sql.ts'
import { type Difference, difference, type Proposal } from './diff-rules.ts'
import { publicationBody } from './history-rules.ts'
import { createLines, insertRows, insertStatuses, openPublications, updateLines } from './publish-store.ts'
import { contentHash, lineKey, type NewRow, resourceKey } from './row-rules.ts'
import type { ParsedPrices } from './schema.ts'
import { claimSource, declareSource, finishSource } from './source-store.ts'
import { knownLines, knownSource } from './state-store.ts'

export type IngestInput = {
  source: SourceDeclaration
  /** SHA-256 of the snapshot, which is stored already. */
  snapshotHash: string
  parserVersion: number
  parsed: ParsedPrices
  /** Only for history: records at this instant instead of now. */
  at?: Instant
  /** No events: for importing history on first start. */
  quiet?: boolean
}

/** What a snapshot did; counts are of price lines unless they say otherwise. */
export type IngestReport = {
  source: string
  at?: Instant
  lines: number
  unchanged: number
  published: number
  changed: number
  revised: number
  resourcesAdded: number
  missing: number
  resourcesRemoved: number
  resourcesRenamed: number
  /** Lines held for a person, by reason. */
  held: Record<string, number>
  /** Why the whole snapshot was set aside: no price changed. */
  quarantined?: string
  /** What looked like a change and made no event, by reason. */
  suppressed: Record<string, number>
  events: Record<string, number>
}

/** Another publication changed the same source's lines in between: plan again on what is there now. */
class StalePlanError extends Error {}
const ATTEMPTS = 5

/** Takes one parsed snapshot in: finds what differs, judges it, publishes or holds it and records the events. */
export async function ingestPrices(sql: Sql, input: IngestInput): Promise<IngestReport> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await ingestOnce(sql, input)
    } catch (error) {
      if (!(error instanceof StalePlanError) || attempt === ATTEMPTS) throw error
    }
  }
}

async function ingestOnce(sql: Sql, input: IngestInput): Promise<IngestReport> {
  const { source } = input.source
  await declareSource(sql, input.source)
  const before = await knownSource(sql, source)
  const known = new Map((await knownLines(sql, source)).map((line) => [lineKey(line), line]))
  const diff = difference(known, input.parsed.observations)
  const report = emptyReport(source, input, diff)
  const quiet = input.quiet || before?.ingestedHash === input.snapshotHash
  await publishing(
    sql,
    async (tx, stamp) => {
      if (!(await claimSource(tx, source, before!.priceVersion))) throw new StalePlanError()
      report.at = stamp.at
      await apply(tx, stamp, input, diff, report, quiet)
      await finishSource(tx, source, input.snapshotHash, input.parserVersion, diff.seenResources.size, stamp.at)
    },
    input.at,
  )
  return report
}

async function apply(tx: Tx, stamp: Stamp, input: IngestInput, diff: Difference, report: IngestReport, quiet: boolean) {
  const { source } = input.source
  await seeProviders(tx, source, input.parsed.providers, stamp.at)
  const published = diff.proposals
  const added = await listResources(
    tx,
    source,
    [
      ...new Map(
        published
          .filter((p) => p.kind === 'new')
          .map((p) => [
            resourceKey(p.line),
            {
              provider: p.line.provider,
              resource: p.line.resource,
              canonicalResource: p.money.canonicalResource,
              category: p.money.category,
            },
          ]),
      ).values(),
    ],
    stamp.at,
  )
  const providers = [...new Set(published.map((p) => p.line.provider))]
  const activated = await activateProviders(tx, providers, stamp.at)
  const inCredits = await creditPriced(tx, providers)
  const ids = await createLines(
    tx,
    source,
    published.filter((p) => !p.known).map((p) => p.line),
  )
  const rows = published.map((p) => ({ ...row(input, p, stamp.at), lineId: p.known?.lineId ?? ids.get(p.key)! }))
  await insertRows(tx, rows)
  await insertStatuses(
    tx,
    stamp.at,
    rows.map((r) => ({ contentHash: r.contentHash, seq: stamp.nextSeq(), status: 'auto_approved' })),
  )
  await openPublications(
    tx,
    stamp.at,
    rows.map((r) => ({
      contentHash: r.contentHash,
      provider: r.provider,
      source,
      resource: r.resource,
      creditPriced: inCredits.has(r.provider),
      body: publicationBody({ ...r, source, approvalStatus: 'auto_approved' }),
    })),
  )
  await updateLines(tx, [
    ...rows.map((r) => ({ lineId: r.lineId, currentHash: r.contentHash, missingCount: 0 })),
    ...diff.settled.map((l) => ({ lineId: l.lineId, currentHash: l.current?.contentHash, missingCount: 0 })),
    ...diff.missing.map((l) => ({
      lineId: l.lineId,
      currentHash: l.current?.contentHash,
      missingSince: l.missingSince ?? stamp.at,
      missingCount: l.missingCount + 1,
    })),
  ])
  if (quiet) return
  const drafts: EventDraft[] = activated.map((one) => providerAddedEvent(one.provider, one.name))
  for (const one of added) {
    const lines = rows.filter((r) => r.provider === one.provider && r.resource === one.resource)
    const canonicalResource = lines[0]?.canonicalResource
    drafts.push(
      resourceAddedEvent(one.provider, inCredits.has(one.provider), {
        source,
        resource: one.resource,
        canonicalResource,
        lines: lines.map((r) => ({
          dimension: r.dimension,
          unit: r.unit,
          currency: r.currency,
          pricingTier: JSON.parse(r.pricingTier),
          price: r.price,
          recordedAt: r.recordedAt,
          contentHash: r.contentHash,
        })),
      }),
    )
  }
  published.forEach((p, i) => {
    if (p.kind !== 'changed') return
    const r = rows[i]!
    const was = p.known!.current!
    drafts.push(
      priceChangedEvent(r.provider, inCredits.has(r.provider), {
        source,
        resource: r.resource,
        canonicalResource: r.canonicalResource,
        dimension: r.dimension,
        unit: r.unit,
        currency: r.currency,
        pricingTier: JSON.parse(r.pricingTier),
        previous: { price: was.price, recordedAt: was.recordedAt, contentHash: was.contentHash },
        current: { price: r.price, recordedAt: r.recordedAt, contentHash: r.contentHash },
        effectiveFrom: r.effectiveFrom,
      }),
    )
  })
  await recordEvents(tx, stamp, drafts)
  for (const draft of drafts) report.events[draft.type] = (report.events[draft.type] ?? 0) + 1
}

function row(input: IngestInput, proposal: Proposal, at: Instant): NewRow {
  const { line, money, locator } = proposal
  const { snapshotHash, parserVersion } = input
  return {
    ...line,
    ...money,
    locator,
    snapshotHash,
    parserVersion,
    recordedAt: at,
    contentHash: contentHash(input.source.source, line, money, at),
  }
}

function emptyReport(source: string, input: IngestInput, diff: Difference): IngestReport {
  const count = (kind: Proposal['kind']) => diff.proposals.filter((one) => one.kind === kind).length
  return {
    source,
    lines: input.parsed.observations.length,
    unchanged: diff.unchanged,
    published: diff.proposals.length,
    changed: count('changed'),
    revised: count('revised'),
    resourcesAdded: 0,
    missing: diff.missing.length,
    resourcesRemoved: 0,
    resourcesRenamed: 0,
    held: {},
    suppressed: diff.duplicates > 0 ? { duplicate_line: diff.duplicates } : {},
    events: {},
  }
}
