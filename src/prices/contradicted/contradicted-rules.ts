import { groupBy } from '../../lib/collections.ts'
import { HOUR } from '../../lib/instant.ts'
import type { ContradictedLine, Contradiction } from './schema.ts'

/** Other sources contradict a price once they have shown another one for so long. */
export const CONTRADICTED_AFTER_MS = 48 * HOUR

/** Two prices this near say the same of a third: 0.31 and 0.3125 are one price, rounded once. */
const NEARLY = 0.01

/**
 * Returns the lines that a better source contradicts, or two sources of different formats that agree with each other.
 * The first of these that can decide about a line decides, unless a person did.
 */
export function contradictedLines(found: Contradiction[]): ContradictedLine[] {
  return [...groupBy(found, ({ lineId }) => lineId).values()].flatMap((ofLine) => {
    const agreeing = strongest(ofLine)
    const [first] = agreeing
    if (!first) return []
    const deciders = [
      ...agreeing.filter(({ other }) => other.decides),
      ...agreeing.filter(({ other }) => other.canDecide),
    ]
    const decider = first.isDecided ? undefined : deciders[0]
    const { lineId, source, price, other } = first
    return {
      lineId,
      source,
      price,
      otherPrice: other.price,
      sources: agreeing.map((one) => one.other.source),
      // The second of two completes the contradiction.
      since: agreeing
        .map((one) => one.other.since)
        .toSorted()
        .at(-1)!,
      decidedBy: decider?.other.source,
    }
  })
}

/** Returns those that agree on the price that speaks most against the served one: the best source's, or that of most. */
function strongest(ofLine: Contradiction[]): Contradiction[] {
  const inOrder = ofLine.toSorted((a, b) => a.other.place - b.other.place)
  const groups = inOrder.map((one) => inOrder.filter((two) => isNearly(one.other.price, two.other.price)))
  const better = groups.find(([one]) => one!.other.isBetter)
  if (better) return better
  const agreeing = groups.filter(
    (group) =>
      !isNearly(group[0]!.price, group[0]!.other.price) && new Set(group.map(({ other }) => other.format)).size > 1,
  )
  return agreeing.reduce<Contradiction[]>((most, group) => (group.length > most.length ? group : most), [])
}

function isNearly(one: string, other: string): boolean {
  const [a, b] = [Number(one), Number(other)]
  return Math.abs(a - b) <= NEARLY * Math.max(a, b)
}
