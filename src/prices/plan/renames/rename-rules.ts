import { groupBy, joinKey } from '../../../lib/collections.ts'
import { sha256 } from '../../../lib/hash.ts'
import type { Instant } from '../../../lib/instant.ts'
import {
  contains,
  type NameParts,
  nameParts,
  sameMaker,
  sameName,
  sameProduct,
  similarity,
  TELLING_LENGTH,
} from './name-rules.ts'

/** A resource with a hash of its lines and prices and, when it was listed before, since when. */
export type NamedResource = {
  provider: string
  resource: string
  prices: string
  /** All its prices are zero. */
  isFree?: boolean
  since?: Instant
}

/** Returns a hash of the prices of a resource, by line, whatever their order. */
export const pricesHash = (prices: Map<string, string>): string =>
  sha256(
    [...prices]
      .map(([line, price]) => `${line}=${price}`)
      .sort()
      .join('\n'),
  )

export type RenameVerdict = {
  from: NamedResource
  to: NamedResource
  verdict: 'renamed' | 'possible'
  /** The names differ in case and punctuation alone, and no other missing one is like the new one. */
  isSpelling: boolean
}

/** A listed name this similar, at equal prices or none, may be the missing one: a person decides. */
const SIMILAR = 0.8
/** So may a new name with equal prices that is less similar. */
const SOMEWHAT_SIMILAR = 0.5

/**
 * One snapshot compares this many pairs of letters at most, which takes about a second. Thousands of long names that
 * change at once are not renamings: beyond the limit names are compared for equality only.
 */
const MAX_COMPARED_LETTERS = 100_000_000

type Candidate = { listed: NamedResource; name: NameParts }

/**
 * Returns which missing resources continue under the name of a newly listed one. Every missing one appears at most
 * once. A resource listed before that differs only in spelling is a possible renaming.
 */
export function findRenames(
  missing: NamedResource[],
  fresh: NamedResource[],
  listedBefore: NamedResource[] = [],
): RenameVerdict[] {
  if (missing.length === 0) return []
  const index = indexOf(fresh.map(candidate), listedBefore.map(candidate))
  const comparison = limitedComparison(MAX_COMPARED_LETTERS)
  const matches = missing.flatMap((resource) => matchOf(candidate(resource), index, comparison) ?? [])
  const byTarget = groupBy(matches, ({ to }) => to)
  return matches.map(({ from, to, clear, isSpelling }) => {
    const isOnly = byTarget.get(to)!.length === 1
    const sure = clear && isOnly && !from.isFree
    return { from, to, verdict: sure ? 'renamed' : 'possible', isSpelling: isOnly && isSpelling }
  })
}

const candidate = (listed: NamedResource): Candidate => ({
  listed,
  name: nameParts(listed.resource),
})

type Index = ReturnType<typeof indexOf>

function indexOf(fresh: Candidate[], listedBefore: Candidate[]) {
  const all = [...fresh, ...listedBefore]
  return {
    freshByPrices: groupBy(fresh, pricesKey),
    freshByProvider: groupBy(fresh, ({ listed }) => listed.provider),
    listedBeforeByPrices: groupBy(listedBefore, pricesKey),
    byName: groupBy(all, nameKey),
    byProduct: groupBy(all, productKey),
  }
}

const pricesKey = ({ listed }: Candidate) => joinKey(listed.provider, listed.prices)
const nameKey = ({ listed, name }: Candidate) => joinKey(listed.provider, name.core)
const productKey = ({ listed, name }: Candidate) => joinKey(listed.provider, name.product)

type Comparison = { similarityOf: (a: Candidate, b: Candidate) => number; allows: (letters: number) => boolean }

function limitedComparison(limit: number): Comparison {
  let compared = 0
  const allows = (letters: number) => {
    compared += letters
    return compared <= limit
  }
  const similarityOf = ({ name: a }: Candidate, { name: b }: Candidate) => {
    if (a.core === b.core) return 1
    return allows(a.core.length * b.core.length) ? similarity(a.core, b.core) : 0
  }
  return { similarityOf, allows }
}

type Match = { from: NamedResource; to: NamedResource; clear: boolean; isSpelling: boolean }

/** Returns the best match of a missing resource; `clear` when it is the only one with the same name and prices. */
function matchOf(from: Candidate, index: Index, comparison: Comparison): Match | undefined {
  const { similarityOf } = comparison
  const match = ({ listed: to, name }: Candidate, clear: boolean): Match => ({
    from: from.listed,
    to,
    clear,
    isSpelling: from.name.core === name.core && from.name.maker === name.maker,
  })
  const equallyPriced = index.freshByPrices.get(pricesKey(from)) ?? []
  const same = equallyPriced.filter((to) => sameName(from.name, to.name))
  // `eu/model` is not a renaming of `model` when `us/model` came too, whatever it costs.
  const rivals = index.byName.get(nameKey(from))?.filter((to) => isRival(from, to, same[0])) ?? []
  if (same.length > 0) return match(same[0]!, same.length === 1 && rivals.length === 0)
  // Every free resource has the same prices as every other one.
  const telling = from.listed.isFree ? [] : equallyPriced
  const best = telling
    .map((to) => ({ to, similarity: similarityOf(from, to) }))
    .sort((a, b) => b.similarity - a.similarity)[0]
  if (best && (best.similarity >= SOMEWHAT_SIMILAR || contains(from.name, best.to.name))) return match(best.to, false)
  const likely =
    index.byName.get(nameKey(from))?.find((to) => sameMaker(from.name, to.name)) ??
    (from.listed.isFree ? undefined : index.listedBeforeByPrices.get(pricesKey(from)))?.find(
      (to) => similarityOf(from, to) >= SIMILAR && sameProduct(from.name, to.name),
    ) ??
    index.byProduct.get(productKey(from))?.find((to) => isSuccessor(from, to)) ??
    index.freshByProvider.get(from.listed.provider)?.find((to) => isRenamedAndRepriced(from, to, comparison))
  return likely && match(likely, false)
}

const isRival = (from: Candidate, to: Candidate, found?: Candidate): boolean =>
  to !== found && to.listed.since === undefined && sameName(from.name, to.name)

/** Whether a name of the same product was listed later than the missing one, and may be its successor. */
const isSuccessor = (from: Candidate, to: Candidate): boolean =>
  sameMaker(from.name, to.name) &&
  (to.listed.since === undefined || (from.listed.since !== undefined && to.listed.since > from.listed.since))

/** Whether a new name contains the old one, or nearly does: the resource may be renamed and repriced at once. */
function isRenamedAndRepriced(from: Candidate, to: Candidate, { similarityOf, allows }: Comparison): boolean {
  const [a, b] = [from.name.core.length, to.name.core.length]
  const shorter = Math.min(a, b)
  if (!allows(a + b)) return false
  if (shorter >= TELLING_LENGTH && contains(from.name, to.name)) return true
  // The similarity that two names of these lengths can reach at most.
  if ((2 * shorter) / (a + b) < SIMILAR) return false
  return sameProduct(from.name, to.name) && similarityOf(from, to) >= SIMILAR
}
