import type { CollectOutcome } from '../../collecting/schema.ts'
import { plural } from '../../lib/text/plural.ts'

/** This many sources alike are named; more are counted. */
const NAMED = 2

/** Returns what collecting sources gave: a line for each that says something, and one for all that are alike. */
export function collectedLines(outcomes: CollectOutcome[]): string[] {
  const unreachable = outcomes.filter(isUnreachable)
  const unchanged = outcomes.filter((outcome) => outcome.outcome === 'unchanged' && !outcome.problem)
  const counted = [unreachable, unchanged].filter(({ length }) => length > NAMED).flat()
  const lines = outcomes.filter((outcome) => !counted.includes(outcome)).map(lineOf)
  if (unchanged.length > NAMED) lines.push(`${plural(unchanged.length, 'source')} unchanged.`)
  if (unreachable.length > NAMED)
    lines.push(`${unreachable.length} of ${plural(outcomes.length, 'source')} unreachable: no internet?`)
  return lines
}

/** A source whose host cannot be reached may still be published, from what comes with the product. */
export const isUnreachable = ({ unreachable, published }: CollectOutcome): boolean => Boolean(unreachable) && !published

function lineOf({ source, outcome, published, held, from, problem }: CollectOutcome): string {
  const found = [
    published !== undefined && `${plural(published, 'price')} published`,
    held && `${held} held for review`,
    from && `from ${from}`,
    problem,
  ].filter(Boolean)
  return `${source}: ${outcome}${found.length > 0 ? ` (${found.join(', ')})` : ''}`
}
