import type { KnownLine } from '../store/line-state-store.ts'
import { identityOf, lineKey, resourceKey } from '../store/row-rules.ts'
import { isMassChange } from './batch-rules.ts'
import { checkChange, type HoldReason, isUnitFlip } from './check-rules.ts'
import type { Difference, Proposal } from './difference-rules.ts'
import { brokenInvariants, type Priced } from './invariant-rules.ts'
import type { Facts } from './plan-rules.ts'
import { implausible } from './sanity-rules.ts'

export type Held = { proposal: Proposal; reasons: HoldReason[]; batch: boolean }

/** How many lines of a provider flip their unit before everything new of it is doubted. */
const FLIPS_TO_DOUBT_PROVIDER = 3

/** Which proposed rows are published and which are held. The first snapshot of a source is only checked for sanity. */
export function judge(
  known: Map<string, KnownLine>,
  diff: Difference,
  facts: Facts,
  renamedTo: Set<string>,
  contested: Map<string, HoldReason>,
): { publish: Proposal[]; hold: Held[] } {
  const reasons = new Map<Proposal, Set<HoldReason>>()
  const doubt = (proposal: Proposal, found: HoldReason[]) => {
    const all = reasons.get(proposal) ?? new Set()
    for (const one of found) all.add(one)
    if (all.size > 0) reasons.set(proposal, all)
  }
  const trusted = diff.proposals.filter((one) => !renamedTo.has(resourceKey(one.line)))
  for (const proposal of trusted)
    if (proposal.kind !== 'revised') doubt(proposal, implausible(proposal.line, proposal.money))
  const massive = new Set<string>()
  if (!facts.first && !facts.quiet) {
    for (const proposal of trusted) {
      if (proposal.kind === 'changed') doubt(proposal, changeReasons(proposal, facts))
      const clash = contested.get(proposal.key)
      if (clash) doubt(proposal, [clash])
    }
    for (const [proposal, reason] of breaking(known, diff, trusted)) doubt(proposal, [reason])
    for (const provider of massChanges(known, trusted)) massive.add(provider)
    for (const proposal of trusted)
      if (proposal.kind === 'changed' && !floats(proposal) && massive.has(proposal.line.provider))
        doubt(proposal, ['mass_change'])
    const flipped = flippedProviders(trusted)
    for (const proposal of trusted)
      if (proposal.kind === 'new' && flipped.has(proposal.line.provider)) doubt(proposal, ['provider_flipped_unit'])
  }
  const publish: Proposal[] = []
  const hold: Held[] = []
  for (const proposal of diff.proposals) {
    const found = reasons.get(proposal)
    if (found) hold.push({ proposal, reasons: [...found], batch: found.has('mass_change') })
    else publish.push(proposal)
  }
  return { publish, hold }
}

function changeReasons(proposal: Proposal, facts: Facts): HoldReason[] {
  const { lineId, current } = proposal.known!
  return checkChange({
    before: Number(current!.price),
    after: Number(proposal.money.price),
    corroborated: facts.corroborated.has(proposal.key),
    returns: !floats(proposal) && (facts.recentPrices.get(lineId)?.includes(proposal.money.price) ?? false),
  })
}

/** A spot price moves with demand, many at once and to and fro: that alone is nothing to ask a person about. */
const floats = ({ line }: Proposal) => line.pricingTier.includes('"service":"spot"')

/** Proposals that break a relation between a resource's prices which held before. */
function breaking(known: Map<string, KnownLine>, diff: Difference, proposals: Proposal[]): [Proposal, HoldReason][] {
  const byResource = new Map<string, Proposal[]>()
  for (const one of proposals) {
    if (one.kind === 'revised') continue
    const key = resourceKey(one.line)
    const some = byResource.get(key)
    if (some) some.push(one)
    else byResource.set(key, [one])
  }
  const found: [Proposal, HoldReason][] = []
  for (const [resource, changed] of byResource) {
    const lines = (diff.seen.get(resource) ?? []).map((one) => identityOf(one))
    const priceNow = new Map(diff.seen.get(resource)!.map((one, i) => [lineKey(lines[i]!), Number(one.price)]))
    const after = lines.map((line): Priced => ({ ...line, price: priceNow.get(lineKey(line))! }))
    const before = lines.flatMap((line): Priced[] => {
      const price = known.get(lineKey(line))?.current?.price
      return price === undefined ? [] : [{ ...line, price: Number(price) }]
    })
    const old = new Set(brokenInvariants(before).map(({ line, reason }) => `${name(line)}|${reason}`))
    for (const { line, reason } of brokenInvariants(after)) {
      if (old.has(`${name(line)}|${reason}`)) continue
      const own = changed.filter((one) => name(one.line) === name(line))
      for (const proposal of own.length > 0 ? own : changed) found.push([proposal, reason])
    }
  }
  return found
}

const name = (line: Pick<Priced, 'dimension' | 'unit' | 'currency' | 'pricingTier'>) =>
  `${line.dimension}|${line.unit}|${line.currency}|${line.pricingTier}`

function massChanges(known: Map<string, KnownLine>, proposals: Proposal[]): string[] {
  const steady = proposals.filter((one) => one.kind === 'changed' && !floats(one))
  const changed = distinctResources(steady.map((one) => one.line))
  if (changed.size === 0) return []
  const listed = distinctResources([...known.values()].filter((line) => line.current && !line.removedAt))
  return [...changed]
    .filter(([provider, some]) => isMassChange(some.size, listed.get(provider)?.size ?? 0))
    .map(([p]) => p)
}

/** The resources of each provider. */
export function distinctResources(lines: { provider: string; resource: string }[]): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const { provider, resource } of lines) {
    const some = found.get(provider)
    if (some) some.add(resource)
    else found.set(provider, new Set([resource]))
  }
  return found
}

function flippedProviders(proposals: Proposal[]): Set<string> {
  const counts = new Map<string, number>()
  for (const { kind, known, money, line } of proposals)
    if (kind === 'changed' && isUnitFlip(Number(known!.current!.price), Number(money.price)))
      counts.set(line.provider, (counts.get(line.provider) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= FLIPS_TO_DOUBT_PROVIDER).map(([provider]) => provider))
}
