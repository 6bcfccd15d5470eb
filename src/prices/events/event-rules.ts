import type { PricePoint } from '../../events/payloads/parts.ts'
import { priceCorrectedEvent } from '../../events/payloads/price-corrected.ts'
import { providerAddedEvent } from '../../events/payloads/provider-added.ts'
import { resourceAddedEvent } from '../../events/payloads/resource-added.ts'
import { resourceRemovedEvent } from '../../events/payloads/resource-removed.ts'
import { resourceRenamedEvent } from '../../events/payloads/resource-renamed.ts'
import type { EventDraft } from '../../events/schema.ts'
import type { Instant } from '../../lib/instant.ts'
import { tally } from '../ingest/ingest-report.ts'
import { isMassChange } from '../plan/batch-rules.ts'
import type { Plan } from '../plan/plan-rules.ts'
import { distinctResources } from '../plan/review-reason-rules.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import type { Reopened } from '../store/publication-store.ts'
import { lineKey, resourceKey } from '../store/row-rules.ts'
import {
  changedDraft,
  identityFor,
  lineOf,
  listedLineOf,
  pointOf,
  revisedDraft,
  type ToldRow,
} from './payload-rules.ts'
import { isRounding } from './revision-rules.ts'
import { fallbackLine, isListLearning, isStep } from './step-rules.ts'

/** What a carried out plan changed, as the events tell it. */
export type Happened = {
  at: Instant
  source: string
  plan: Plan
  /** The rows published of `plan.publish`, in its order. */
  rows: ToldRow[]
  releasedRows: ToldRow[]
  reopened: Reopened[]
  /** Lines listed again as they were. */
  again: KnownLine[]
  /** Resources that no source had ever priced before. */
  added: { provider: string; resource: string }[]
  activated: { provider: string; name: string }[]
  inCredits: Set<string>
}

/** Nothing, to be filled in by what a decision changes. */
export const nothingHappened = (at: Instant, source: string): Happened => ({
  at,
  source,
  plan: {
    publish: [],
    hold: [],
    settled: [],
    released: [],
    superseded: [],
    waiting: [],
    missing: [],
    renamed: [],
    removed: [],
    retired: [],
    questions: [],
    contested: new Map(),
  },
  rows: [],
  releasedRows: [],
  reopened: [],
  again: [],
  added: [],
  activated: [],
  inCredits: new Set(),
})

type Drafts = { drafts: EventDraft[]; suppressed: Record<string, number> }

/** One event for each real change; the rest is counted by reason. `known` is how the lines stood before. */
export function ingestDrafts(happened: Happened, known: Map<string, KnownLine>): Drafts {
  const { source, plan, rows, inCredits, at } = happened
  const suppressed: Record<string, number> = {}
  const drafts: EventDraft[] = happened.activated.map((one) => providerAddedEvent(one.provider, one.name))
  const renamedTo = new Set(plan.renamed.map((one) => resourceKey({ provider: one.provider, resource: one.to })))
  const added = new Set(happened.added.map(resourceKey))
  const byResource = new Map<string, ToldRow[]>()
  for (const row of [...rows, ...happened.releasedRows]) {
    const some = byResource.get(resourceKey(row))
    if (some) some.push(row)
    else byResource.set(resourceKey(row), [row])
  }
  const credit = (row: { provider: string }) => inCredits.has(row.provider)
  for (const { provider, from, to, lines } of plan.renamed) {
    const after = byResource.get(resourceKey({ provider, resource: to })) ?? []
    const previousCanonicalResource = lines[0]?.current?.canonicalResource
    const renaming = {
      ...identityFor(source, after[0] ?? { resource: to }),
      previousResource: from,
      ...(previousCanonicalResource && { previousCanonicalResource }),
      lines: after.map(listedLineOf),
    }
    drafts.push(resourceRenamedEvent(provider, inCredits.has(provider), renaming))
  }
  for (const key of added) {
    if (renamedTo.has(key)) continue
    const lines = byResource.get(key)!
    const first = lines[0]!
    const event = { ...identityFor(source, first), lines: lines.map(listedLineOf) }
    drafts.push(resourceAddedEvent(first.provider, credit(first), event))
  }
  const again = new Set(happened.again)
  const published = new Map(rows.map((row) => [lineKey(row), row]))
  const now = (key: string): ToldRow | undefined => {
    const line = known.get(key)
    const stands = line?.current && (!line.removedAt || again.has(line))
    return published.get(key) ?? (stands ? { ...line, ...line.current! } : undefined)
  }
  const doubted = new Set(plan.hold.map((one) => one.proposal.key))
  for (const line of plan.waiting) doubted.add(lineKey(line))
  const introduced: { row: ToldRow; previous: PricePoint }[] = []
  const massRevised = massRevisions(happened, known)
  plan.publish.forEach((proposal, i) => {
    const row = rows[i]!
    const before = proposal.known?.current
    if (added.has(resourceKey(row)) || renamedTo.has(resourceKey(row))) return
    if (before && proposal.kind === 'changed') {
      if (isRounding(before.price, row.price)) tally(suppressed, 'rounding')
      else drafts.push(changedDraft(source, credit(row), row, { previous: pointOf(before), current: pointOf(row) }))
    } else if (before) {
      const draft = massRevised.has(row.provider) ? undefined : revisedDraft(source, credit(row), before, row)
      if (draft) drafts.push(draft)
      else tally(suppressed, massRevised.has(row.provider) ? 'revised_everywhere' : 'detail_learned')
    } else introduce(row, 'line_first_priced')
  })
  function introduce(row: ToldRow, otherwise: string) {
    const fallback = fallbackLine(row)
    const base = fallback && known.get(lineKey(fallback))
    // Beside a base price that changed in the same snapshot nobody knows which of them the step belonged to.
    const steady = base?.current && !base.removedAt && !doubted.has(lineKey(base)) && now(lineKey(base))
    if (steady && steady.price === base.current?.price && isStep(steady.price, row))
      introduced.push({ row, previous: pointOf(steady) })
    else tally(suppressed, otherwise)
  }
  happened.releasedRows.forEach((row, i) => {
    const before = plan.released[i]!.current
    if (before)
      drafts.push(changedDraft(source, credit(row), row, { previous: pointOf(before), current: pointOf(row) }))
  })
  const retired = new Set(plan.retired.map((line) => lineKey(line)))
  const withdrawn: { told: ToldRow; current: PricePoint }[] = []
  for (const line of plan.retired) {
    const fallback = fallbackLine(line)
    const base = fallback && !retired.has(lineKey(fallback)) ? now(lineKey(fallback)) : undefined
    const told = { ...line, ...line.current! }
    if (base && isStep(base.price, told)) withdrawn.push({ told, current: pointOf(base) })
    else tally(suppressed, 'line_withdrawn')
  }
  if (isListLearning(withdrawn.map(({ told }) => told))) tally(suppressed, 'steps_dropped', withdrawn.length)
  else
    for (const { told, current } of withdrawn) {
      const points = { previous: pointOf(told), current, tier: 'withdrawn' as const }
      drafts.push(changedDraft(source, credit(told), told, points))
    }
  for (const { provider, lines } of plan.removed) {
    const told = lines.map((line) => ({ ...line, ...line.current! }))
    const missingSince = lines.flatMap((line) => line.missingSince ?? []).sort()[0]
    const event = {
      ...identityFor(source, told[0]!),
      lines: told.map(listedLineOf),
      ...(missingSince && { missingSince }),
    }
    drafts.push(resourceRemovedEvent(provider, inCredits.has(provider), event))
  }
  const listed = new Set(
    happened.again.length === 0
      ? []
      : [...known.values()].filter((one) => one.current && !one.removedAt).map(resourceKey),
  )
  const back = new Map(happened.reopened.map((row) => [row.contentHash, row]))
  for (const line of happened.again) {
    const row = back.get(line.current!.contentHash)
    const told = { ...line, ...line.current! }
    if (!row) tally(suppressed, 'listed_again_under_old_name')
    // That the line of a resource which stayed was gone was told only when it was a step.
    else if (listed.has(resourceKey(line))) introduce(told, 'line_listed_again')
    else {
      const event = {
        ...identityFor(source, told),
        ...lineOf(line),
        action: 'restored' as const,
        corrected: pointOf(told),
        current: pointOf(told),
        affected: { from: row.removedAt, to: at },
        reason: 'listed again by its source',
      }
      drafts.push(priceCorrectedEvent(line.provider, credit(line), event))
    }
  }
  if (isListLearning(introduced.map(({ row }) => row))) tally(suppressed, 'steps_learned', introduced.length)
  else
    for (const { row, previous } of introduced) {
      const points = { previous, current: pointOf(row), tier: 'introduced' as const }
      drafts.push(changedDraft(source, credit(row), row, points))
    }
  return { drafts, suppressed }
}

/** Providers of which a fifth and more was revised at once: how the source writes changed, not what it says. */
function massRevisions({ plan }: Happened, known: Map<string, KnownLine>): Set<string> {
  const revised = distinctResources(plan.publish.filter((one) => one.kind === 'revised').map((one) => one.line))
  if (revised.size === 0) return new Set()
  const listed = distinctResources([...known.values()].filter((line) => line.current && !line.removedAt))
  return new Set(
    [...revised]
      .filter(([provider, some]) => isMassChange(some.size, listed.get(provider)?.size ?? 0))
      .map(([provider]) => provider),
  )
}
