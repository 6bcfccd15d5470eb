import type { ActivatedProvider } from '../../catalog/providers/provider-status-store.ts'
import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, once } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import { listedResources } from '../plan/difference/listing-rules.ts'
import { continuedNames } from '../plan/renames/renamed-resource-rules.ts'
import type { GoneResource, Plan, RenamedLines } from '../plan/schema.ts'
import { lineKey } from '../row-rules.ts'
import { isListed, type KnownLine, type Money } from '../schema.ts'
import type { ReopenedRow } from '../store/publication-store.ts'
import type { Change, EventRow } from './change-schema.ts'
import { pointOf } from './payload-rules.ts'
import { fallbackLine, isStep } from './step-rules.ts'

/** What a publication did, as far as changes follow from it. */
export type Outcome = {
  at: Instant
  /** The rows it published, each with the row of its line that was published before. */
  published: { row: EventRow; before?: Money & Pick<EventRow, 'recordedAt' | 'contentHash'> }[]
  /** Rows that it serves again as they were. */
  reopened: ReopenedRow[]
  /** Resources that no source had priced before. */
  added: { provider: string; resource: string }[]
  /** Providers that became active for the first time. */
  activated: ActivatedProvider[]
  /** The listed lines of resources that others are renamed to: those may have been priced before. */
  renamedTo?: KnownLine[]
  /** Resources that another source was served for before. */
  takenOver?: { provider: string; resource: string }[]
}

/** The lines around a publication, by their key. */
type Lines = {
  /** As they were before. */
  known: Map<string, KnownLine>
  /** Rows that are published now. */
  published: Map<string, EventRow>
  /** Lines that are listed again as they were. */
  relisted: Set<string>
  /** Lines with a row that waits for a person. */
  inReview: Set<string>
}

export function linesAround(
  known: Map<string, KnownLine>,
  { published }: Pick<Outcome, 'published'>,
  { relisted = [], inReview = [] }: { relisted?: KnownLine[]; inReview?: string[] } = {},
): Lines {
  const rows = new Map(published.map(({ row }) => [lineKey(row), row]))
  return { known, published: rows, relisted: new Set(relisted.map(lineKey)), inReview: new Set(inReview) }
}

/** Returns what a snapshot changed. */
export function changesOfSnapshot(plan: Plan, known: Map<string, KnownLine>, outcome: Outcome): Change[] {
  const relisted = plan.confirmed.filter((line) => line.removedAt)
  const inReview = [
    ...plan.hold.map(({ proposal }) => proposal.key),
    ...plan.waiting.map(({ line }) => lineKey(line)),
    ...plan.unjudged.map(lineKey),
  ]
  const lines = linesAround(known, outcome, { relisted, inReview })
  const byResource = groupBy(
    outcome.published.map(({ row }) => row),
    resourceKey,
  )
  const priced = groupBy((outcome.renamedTo ?? []).filter(isListed).map(publishedRow), resourceKey)
  const renamedTo = new Set(continuedNames(plan.renamed).keys())
  return [
    ...providerChanges(outcome),
    ...plan.renamed.map(({ wasPriced: _, ...renamed }) => {
      const key = resourceKey({ provider: renamed.provider, resource: renamed.to })
      return renamedChange(renamed, priced.get(key) ?? byResource.get(key) ?? [])
    }),
    ...changesOfRows(outcome, lines, renamedTo),
    ...retiredChanges(plan.retired, lines),
    ...plan.removed.map(removedChange),
    ...relistedChanges(relisted, lines, outcome),
  ]
}

export const providerChanges = ({ activated }: Pick<Outcome, 'activated'>): Change[] =>
  activated.map((provider) => ({ kind: 'providerAdded', ...provider }))

/** Returns what published rows changed. Rows under the new name of a renamed resource are part of that change. */
export function changesOfRows(outcome: Outcome, lines: Lines, renamedTo = new Set<string>()): Change[] {
  const rows = outcome.published.map(({ row }) => row)
  const byResource = groupBy(rows, resourceKey)
  const added = new Set(outcome.added.map(resourceKey))
  return [
    ...[...added]
      .filter((key) => !renamedTo.has(key))
      .map((key): Change => ({ kind: 'resourceAdded', rows: byResource.get(key)! })),
    ...outcome.published
      .filter(({ row }) => !added.has(resourceKey(row)) && !renamedTo.has(resourceKey(row)))
      .map(changeOfRow(outcome, lines)),
  ]
}

/** Returns what a row changed of its line. A price that a removal had ended was not in force: the row replaces none. */
function changeOfRow(outcome: Outcome, lines: Lines) {
  const takenOver = new Set(outcome.takenOver?.map(resourceKey))
  const isListed = resourceIsListed(lines)
  const endOf = removalTimes(outcome)
  return ({ row, before }: Outcome['published'][number]): Change => {
    const endedAt = before && endOf.get(before.contentHash)
    const inForce = endedAt ? undefined : before
    const isNews = inForce !== undefined && inForce.price !== row.price
    if (!isNews && takenOver.has(resourceKey(row))) return { kind: 'sourceChanged', row }
    if (endedAt && before.price === row.price && !isListed(row)) {
      const { recordedAt, contentHash } = before
      return restoredChange({ ...row, recordedAt, contentHash }, row, { from: endedAt, to: outcome.at })
    }
    if (!inForce) return introducedStep(row, lines) ?? { kind: 'lineAdded', row }
    return { kind: isNews ? 'priceChanged' : 'priceRevised', row, before: inForce }
  }
}

/** When a removal ended the rows that are served again now, by their hash. */
const removalTimes = ({ reopened }: Outcome): Map<string, Instant> =>
  new Map(reopened.map(({ contentHash, removedAt }) => [contentHash, removedAt]))

/** Returns whether a resource had a published price before the publication. */
function resourceIsListed({ known }: Lines): (row: EventRow) => boolean {
  const listed = once(() => listedResources(known.values()))
  return ({ provider, resource }) => listed().get(provider)?.has(resource) ?? false
}

export const renamedChange = ({ lines, ...renamed }: RenamedLines, rows: EventRow[]): Change => ({
  kind: 'resourceRenamed',
  ...renamed,
  before: lines[0] && publishedRow(lines[0]),
  rows,
})

export const removedChange = ({ lines, reason }: GoneResource & { reason?: 'source_ended' }): Change => ({
  kind: 'resourceRemoved',
  reason,
  rows: lines.map(publishedRow),
  missingSince: lines.flatMap((line) => line.missingSince ?? []).sort()[0],
})

/** The published row of a listed line. */
export const publishedRow = (line: KnownLine): EventRow => ({ ...line, ...line.current! })

/** Returns the price of a line after the publication. */
function priceAfter(key: string, { known, published, relisted }: Lines): EventRow | undefined {
  const row = published.get(key)
  if (row) return row
  const line = known.get(key)
  return line?.current && (!line.removedAt || relisted.has(key)) ? publishedRow(line) : undefined
}

/** Returns the step that a row introduces, if its base price was and stays the same. */
function introducedStep(row: EventRow, lines: Lines): Change | undefined {
  const fallback = fallbackLine(row)
  const base = fallback && lines.known.get(lineKey(fallback))
  if (!base || !isListed(base) || lines.inReview.has(lineKey(base))) return undefined
  // Beside a base price that changed in the same snapshot no one knows which of the two the step belonged to.
  const after = priceAfter(lineKey(base), lines)
  if (!after || after.price !== base.current.price || !isStep(after.price, row)) return undefined
  return { kind: 'stepIntroduced', row, base: pointOf(after) }
}

/** Returns the changes of lines that were removed from listed resources. */
export function retiredChanges(retired: KnownLine[], lines: Lines): Change[] {
  const keys = new Set(retired.map(lineKey))
  return retired.map((line) => {
    const row = publishedRow(line)
    const fallback = fallbackLine(line)
    const base = fallback && !keys.has(lineKey(fallback)) ? priceAfter(lineKey(fallback), lines) : undefined
    if (base && isStep(base.price, row)) return { kind: 'stepWithdrawn', row, base: pointOf(base) }
    return { kind: 'lineRemoved', row }
  })
}

function relistedChanges(relisted: KnownLine[], lines: Lines, outcome: Outcome): Change[] {
  const isListed = resourceIsListed(lines)
  const endOf = removalTimes(outcome)
  return relisted.map((line): Change => {
    const row = publishedRow(line)
    const endedAt = endOf.get(row.contentHash)
    if (!endedAt) return { kind: 'oldNameRelisted', row }
    if (isListed(row)) return introducedStep(row, lines) ?? { kind: 'lineAdded', row }
    return restoredChange(row, row, { from: endedAt, to: outcome.at })
  })
}

/** A removed resource is back at its price: `row` is served again, and `current` is what readers see. */
const restoredChange = (row: EventRow, current: EventRow, affected: { from: Instant; to: Instant }): Change => ({
  kind: 'restored',
  row,
  current,
  affected,
  reason: 'listed again by its source',
})
