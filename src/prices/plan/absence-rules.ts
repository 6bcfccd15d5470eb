import { epochMs, type Instant } from '../../lib/instant.ts'
import type { Observation } from '../schema.ts'
import type { KnownLine } from '../store/line-state-store.ts'
import { identityOf, resourceKey } from '../store/row-rules.ts'
import type { HoldReason } from './check-rules.ts'
import type { Difference } from './difference-rules.ts'
import type { Facts } from './plan-rules.ts'
import { absenceConfirmed, REMOVE_AFTER_MS, removalHeld } from './removal-rules.ts'
import { findRenames, type Named } from './rename-rules.ts'
import { distinctResources } from './review-reason-rules.ts'

type Gone = { provider: string; resource: string; lines: KnownLine[] }
type Renamed = { provider: string; from: string; to: string; lines: KnownLine[] }
/** What a person is asked about absences: one question per renaming, one per provider for removals. */
type Question = {
  provider: string
  kind: 'removal' | 'rename'
  reason: 'possible_rename' | 'mass_disappearance' | 'whole_provider_missing' | 'missing_everywhere'
  resources: string[]
  to?: string
}

export type AbsencePlan = {
  /** Lines that are absent, and not yet for good. */
  missing: KnownLine[]
  renamed: Renamed[]
  removed: Gone[]
  /** Lines of resources that are still listed, absent for good. */
  retired: KnownLine[]
  questions: Question[]
  /** New lines that stand in another unit or currency for a line that went missing. */
  contested: Map<string, HoldReason>
}

/** What becomes of lines the snapshot no longer has: renamed first, then removed once that is confirmed. */
export function planAbsences(known: Map<string, KnownLine>, diff: Difference, facts: Facts): AbsencePlan {
  const contested = contestedLines(diff)
  const absent = diff.missing.filter((line) => line.current && !contested.missing.has(line))
  const byResource = groupByResource(absent)
  const whole = [...byResource.entries()].filter(([resource]) => !diff.seen.has(resource)).map(([, gone]) => gone)
  const renames = planRenames(known, diff, facts, whole)
  const renamedFrom = new Set(renames.renamed.map((one) => resourceKey({ provider: one.provider, resource: one.from })))
  const left = whole.filter((gone) => !renamedFrom.has(resourceKey(gone)))
  const asked = new Set(renames.questions.flatMap((one) => one.resources.map((r) => `${one.provider}\u001f${r}`)))
  const confirmed = (line: KnownLine) =>
    facts.quiet
      ? facts.lastIngestedAt !== undefined && epochMs(facts.now) - epochMs(facts.lastIngestedAt) >= REMOVE_AFTER_MS
      : line.missingSince !== undefined && absenceConfirmed(line.missingCount + 1, line.missingSince, facts.now)
  const removed: Gone[] = []
  const questions = [...renames.questions]
  const listed = distinctResources([...known.values()].filter((line) => line.current && !line.removedAt))
  const everywhere = missingEverywhere(left)
  for (const [provider, gone] of groupByProvider(left)) {
    const count = (listed.get(provider)?.size ?? 0) - renames.renamed.filter((one) => one.provider === provider).length
    const held = removalHeld({ listed: count, missing: gone.length })
    const sure = gone.filter(
      (one) => one.lines.every(confirmed) && !asked.has(resourceKey(one)) && !facts.refused.has(resourceKey(one)),
    )
    const doubted = facts.quiet || held ? [] : sure.filter((one) => everywhere.has(one.resource))
    const certain = sure.filter((one) => !doubted.includes(one))
    if (doubted.length > 0)
      questions.push({ provider, kind: 'removal', reason: 'missing_everywhere', resources: names(doubted) })
    if (certain.length === 0) continue
    if (held === 'whole_provider_missing' || (held && !facts.quiet))
      questions.push({ provider, kind: 'removal', reason: held, resources: names(certain) })
    else removed.push(...certain)
  }
  const removedLines = new Set(removed.flatMap((one) => one.lines))
  const inWhole = new Set(whole.flatMap((gone) => gone.lines))
  const retired = absent.filter((line) => !inWhole.has(line) && confirmed(line))
  const renamedLines = new Set(renames.renamed.flatMap((one) => one.lines))
  const goneForGood = new Set([...removedLines, ...retired, ...renamedLines])
  return {
    missing: absent.filter((line) => !goneForGood.has(line)),
    renamed: renames.renamed,
    removed,
    retired,
    questions,
    contested: contested.fresh,
  }
}

const names = (gone: Gone[]) => gone.map((one) => one.resource).sort()

/** The same resource gone from so many providers at once is the source's slip rather than everybody's decision. */
const PROVIDERS_AT_ONCE = 3

function missingEverywhere(gone: Gone[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { resource, lines } of gone) {
    const key = `${resource}\u001f${lines[0]!.missingSince}`
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return new Set([...counts].filter(([, count]) => count >= PROVIDERS_AT_ONCE).map(([key]) => key.split('\u001f')[0]!))
}

/** New lines that differ from a missing one in unit or currency alone: damage or a new price list, a person says. */
function contestedLines(diff: Difference): { fresh: Map<string, HoldReason>; missing: Set<KnownLine> } {
  const fresh = new Map<string, HoldReason>()
  const missing = new Set<KnownLine>()
  const absent = new Map(diff.missing.filter((line) => line.current).map((line) => [withoutMoney(line), line]))
  if (absent.size === 0) return { fresh, missing }
  for (const { key, kind, line } of diff.proposals) {
    const before = kind === 'new' ? absent.get(withoutMoney(line)) : undefined
    if (!before) continue
    fresh.set(key, before.currency === line.currency ? 'unit_changed' : 'currency_changed')
    missing.add(before)
  }
  for (const line of diff.waiting) {
    const before = line.current ? undefined : absent.get(withoutMoney(line))
    if (before) missing.add(before)
  }
  return { fresh, missing }
}

const withoutMoney = (line: { provider: string; resource: string; dimension: string; pricingTier: string }) =>
  `${line.provider}\u001f${line.resource}\u001f${line.dimension}\u001f${line.pricingTier}`

function planRenames(known: Map<string, KnownLine>, diff: Difference, facts: Facts, whole: Gone[]) {
  const renamed: Renamed[] = []
  const questions: Question[] = []
  if (whole.length === 0) return { renamed, questions }
  const concerned = new Set(whole.map((gone) => gone.provider))
  const listedSince = new Map<string, Instant>()
  for (const line of known.values()) {
    if (!line.current || line.removedAt || !concerned.has(line.provider)) continue
    const key = resourceKey(line)
    const since = listedSince.get(key)
    if (since === undefined || line.current.recordedAt < since) listedSince.set(key, line.current.recordedAt)
  }
  const seen = [...diff.seen]
    .filter(([, lines]) => concerned.has(lines[0]!.provider))
    .map(([resource, lines]) => named(lines, listedSince.get(resource)))
  const fresh = seen.filter((one) => one.since === undefined)
  const others = seen.filter((one) => one.since !== undefined)
  const missing = new Map(whole.map((gone) => [namedLines(gone), gone]))
  for (const { from, to, verdict } of findRenames([...missing.keys()], fresh, others)) {
    const { provider } = from
    if (facts.refused.has(`${provider}\u001f${from.resource}\u001f${to.resource}`)) continue
    if (verdict === 'renamed')
      renamed.push({ provider, from: from.resource, to: to.resource, lines: missing.get(from)!.lines })
    else if (!facts.quiet)
      questions.push({
        provider,
        kind: 'rename',
        reason: 'possible_rename',
        resources: [from.resource],
        to: to.resource,
      })
  }
  const decided = new Set([
    ...renamed.map((one) => resourceKey({ provider: one.provider, resource: one.from })),
    ...questions.map((one) => resourceKey({ provider: one.provider, resource: one.resources[0]! })),
  ])
  const still = new Set(whole.map(resourceKey))
  for (const { provider, from, to } of facts.asked) {
    const key = resourceKey({ provider, resource: from })
    if (!decided.has(key) && still.has(key))
      questions.push({ provider, kind: 'rename', reason: 'possible_rename', resources: [from], to })
  }
  return { renamed, questions }
}

function named(lines: Observation[], since?: Instant): Named {
  const prices = new Map(lines.map((line) => [withinResource(identityOf(line)), line.price]))
  return { provider: lines[0]!.provider, resource: lines[0]!.resource, prices, since }
}

const namedLines = ({ provider, resource, lines }: Gone): Named => ({
  provider,
  resource,
  prices: new Map(lines.map((line) => [withinResource(line), line.current!.price])),
  since: lines.map((line) => line.current!.recordedAt).sort()[0],
})

const withinResource = (line: { dimension: string; unit: string; currency: string; pricingTier: string }) =>
  `${line.dimension}|${line.unit}|${line.currency}|${line.pricingTier}`

function groupByResource(lines: KnownLine[]): Map<string, Gone> {
  const found = new Map<string, Gone>()
  for (const line of lines) {
    const key = resourceKey(line)
    const gone = found.get(key)
    if (gone) gone.lines.push(line)
    else found.set(key, { provider: line.provider, resource: line.resource, lines: [line] })
  }
  return found
}

function groupByProvider(gone: Gone[]): Map<string, Gone[]> {
  const found = new Map<string, Gone[]>()
  for (const one of gone) found.set(one.provider, [...(found.get(one.provider) ?? []), one])
  return found
}
