import { resourceKey } from '../../../catalog/resource-rules.ts'
import { groupBy } from '../../../lib/collections.ts'
import { latest } from '../../../lib/instant.ts'
import { lineKey } from '../../row-rules.ts'
import { isSamePrice } from '../../same-price-rules.ts'
import { isDecided, type KnownLine, type LineIdentity, servedRow } from '../../schema.ts'
import type { Wait } from '../evidence/evidence-schema.ts'
import type { Difference, Facts, Proposal } from '../schema.ts'

/** A line whose price in the snapshot is not the published one: proposed now, or held already. */
export type DifferingLine = {
  key: string
  line: LineIdentity
  known?: KnownLine
  kind: 'new' | 'changed'
  before?: string
  after: string
  canonicalResource?: string
  /** The row that the snapshot proposes; absent when it is held already. */
  proposal?: Proposal
}

/**
 * All lines of one resource that differ: they are published, held or refused together. First prices are divided by what
 * they are for, so that a wrong price of images does not hold the right ones of tokens.
 */
export type LineSet = {
  resourceKey: string
  provider: string
  lines: DifferingLine[]
  /** The lines of the resource that differ, those of its other sets included. */
  ofResource: DifferingLine[]
  /** How long the source has listed exactly these prices. */
  wait: Wait
}

/**
 * Returns the sets of a snapshot. `superseded` are held lines that the source no longer repeats. Imported history leaves
 * held lines as they are.
 */
export function lineSets(diff: Difference, superseded: KnownLine[], facts: Facts): LineSet[] {
  const { quiet } = facts
  const changedBefore = new Set(superseded.map(resourceKey))
  const held = quiet ? [] : diff.waiting.flatMap(heldLine)
  const lines = [...diff.proposals.flatMap(proposedLine), ...held]
  return [...groupBy(lines, ({ line }) => resourceKey(line))].flatMap(([key, ofResource]) =>
    dividedByUse(ofResource).map((set) => ({
      resourceKey: key,
      provider: ofResource[0]!.line.provider,
      lines: set,
      ofResource,
      wait: waitOf(set, changedBefore.has(key), facts),
    })),
  )
}

function dividedByUse(lines: DifferingLine[]): DifferingLine[][] {
  const areFirst = lines.every(({ kind }) => kind === 'new')
  return areFirst ? [...groupBy(lines, ({ line }) => useOf(line.dimension)).values()] : [lines]
}

/** What a price is for: a kind of media, tokens of text, or anything else, each by itself. */
const useOf = (dimension: string): string =>
  /audio|image|pixel|video/.exec(dimension)?.[0] ?? (dimension.endsWith('_tokens') ? 'tokens' : dimension)

function proposedLine(proposal: Proposal): DifferingLine[] {
  const { key, line, known, kind, money } = proposal
  if (kind !== 'new' && kind !== 'changed') return []
  const { price: after, canonicalResource } = money
  return [{ key, line, known, kind, before: known && servedRow(known)?.price, after, canonicalResource, proposal }]
}

function heldLine(known: KnownLine): DifferingLine[] {
  const { held } = known
  const current = servedRow(known)
  // A price that a person decided about is not a doubt any more.
  if (!held || isDecided(known, held.price)) return []
  const { canonicalResource } = held
  const kind = current ? 'changed' : 'new'
  return [
    { key: lineKey(known), line: known, known, kind, before: current?.price, after: held.price, canonicalResource },
  ]
}

/**
 * A set that differs from the last snapshot's begins to wait now. A price that its source announced for a day that has
 * come has waited since it was announced.
 */
function waitOf(lines: DifferingLine[], lostLine: boolean, { now, announced }: Facts): Wait {
  const held = lines.map(({ key, after, known, proposal }) => {
    if (!proposal) return known!.held!.wait
    const before = announced.get(key)
    return before && isSamePrice(before.price, after) ? before : undefined
  })
  if (lostLine || held.some((wait) => wait === undefined)) return { since: now, fetches: 1 }
  const waits = held.flatMap((wait) => wait ?? [])
  return {
    since: waits.map(({ since }) => since).reduce(latest),
    fetches: Math.min(...waits.map(({ fetches }) => fetches)) + 1,
  }
}
