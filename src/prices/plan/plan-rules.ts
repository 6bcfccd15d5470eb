import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy, once } from '../../lib/collections.ts'
import { identityOf } from '../row-rules.ts'
import { isListed, type KnownLine, servedRow } from '../schema.ts'
import { planAbsences } from './absences/absence-rules.ts'
import type { ResourcePrices } from './evidence/beside-rules.ts'
import type { HoldReason } from './holds/index.ts'
import { continuedNames } from './renames/renamed-resource-rules.ts'
import type { AbsencePlan, Difference, Facts, HeldLine, Plan } from './schema.ts'
import { type JudgedSet, judgeSets } from './sets/judge-rules.ts'
import { type DifferingLine, type LineSet, lineSets } from './sets/line-set-rules.ts'

/** Decides what a snapshot publishes, holds, removes and renames. */
export function planIngest(known: Map<string, KnownLine>, diff: Difference, facts: Facts): Plan {
  const absences = planAbsences(diff, facts)
  const superseded = [
    ...diff.proposals.flatMap(({ known }) => (known?.held ? [known] : [])),
    ...diff.confirmed.filter((line) => line.held),
    ...diff.missing.filter((line) => line.held),
    ...diff.goneAgain,
  ]
  const renamedTo = continuedNames(absences.renamed)
  const sets = lineSets(diff, superseded, facts).filter((set) => !renamedTo.has(set.resourceKey))
  const pricesOf = resourcePrices(sets, known, diff, absences)
  const judged = judgeSets(sets, { facts, contested: absences.contested, pricesOf })
  const inSets = new Set(sets.flatMap(({ lines }) => lines.map(({ key }) => key)))
  const decided = verdictsOf(judged)
  decided.released.push(...heldInRenamed(diff.waiting, renamedTo, facts))
  const heldResources = new Set(judged.filter(({ isHeld }) => isHeld).map(({ set }) => set.resourceKey))
  // A removed line that is listed again is new to readers: it is published with what changes beside it.
  // One that is taken over is published with its resource, or not at all.
  const waitsWithItsSet = (line?: KnownLine) =>
    line !== undefined && (line.removedAt ?? line.takesOver) !== undefined && heldResources.has(resourceKey(line))
  const alone = diff.proposals.filter(({ key, known }) => !inSets.has(key) && !waitsWithItsSet(known))
  const judgedLines = new Set([...decided.released, ...decided.waiting].map(({ line }) => line))
  const unjudged = [...diff.waiting, ...diff.unreadable.map(({ line }) => line)].filter(
    (line) => !judgedLines.has(line) && !isBackAsDecided(line),
  )
  const confirmed = [...diff.confirmed, ...diff.waiting.filter(isBackAsDecided)].filter(
    (line) => !waitsWithItsSet(line),
  )
  return {
    ...absences,
    ...decided,
    publish: [...alone, ...decided.publish],
    confirmed,
    superseded,
    unjudged,
    respelled: diff.respelled,
  }
}

/** The held lines of resources that continue others: their prices are those that are published under the old names. */
function heldInRenamed(waiting: KnownLine[], renamedTo: Map<string, string>, { now }: Facts): HeldLine[] {
  return waiting.flatMap((line) => {
    const renamedFrom = renamedTo.get(resourceKey(line))
    if (!line.held || renamedFrom === undefined) return []
    const { reasons, wait } = line.held
    return [{ line, verdict: { reasons: reasons as HoldReason[], wait, judgedAgainAt: now }, renamedFrom }]
  })
}

/** A removed line that is listed again with a price that a person rejected: what was served before is served again. */
const isBackAsDecided = ({ removedAt, held }: KnownLine) => removedAt !== undefined && held === undefined

type Verdicts = Pick<Plan, 'publish' | 'hold' | 'released' | 'waiting' | 'verdicts'>

function verdictsOf(judged: JudgedSet[]): Verdicts {
  const found: Verdicts = { publish: [], hold: [], released: [], waiting: [], verdicts: new Map() }
  for (const { set, verdicts, isHeld, inMassChange } of judged)
    for (const line of set.lines) addLine(found, line, { isHeld, inMassChange, verdict: verdicts.get(line)! })
  return found
}

type OfSet = Pick<JudgedSet, 'isHeld' | 'inMassChange'> & { verdict: Plan['hold'][number]['verdict'] }

function addLine(found: Verdicts, { proposal, known }: DifferingLine, { isHeld, inMassChange, verdict }: OfSet): void {
  if (!proposal) (isHeld ? found.waiting : found.released).push({ line: known!, verdict })
  else if (isHeld) found.hold.push({ proposal, inMassChange, verdict })
  else {
    found.publish.push(proposal)
    found.verdicts.set(proposal, verdict)
  }
}

/** Returns a function that gives the prices of a resource before and after, and those that would stay beside them. */
function resourcePrices(sets: LineSet[], known: Map<string, KnownLine>, diff: Difference, absences: AbsencePlan) {
  const wanted = new Set(sets.map((set) => set.resourceKey))
  const isServed = (line: KnownLine) => isListed(line) || line.takesOver !== undefined
  const ofSets = () => [...known.values()].filter((line) => isServed(line) && wanted.has(resourceKey(line)))
  const byResource = once(() => groupBy(ofSets(), resourceKey))
  const staying = new Set(absences.missing)
  const priced = (line: KnownLine) => ({ ...line, price: Number(servedRow(line)!.price) })
  return (key: string): ResourcePrices => {
    const before = byResource().get(key) ?? []
    return {
      before: before.map(priced),
      after: (diff.seen.get(key) ?? []).map((item) => ({ ...identityOf(item), price: Number(item.price) })),
      left: before.filter((line) => staying.has(line)).map(priced),
    }
  }
}
