import { resourceKey } from '../../catalog/resource-rules.ts'
import { groupBy } from '../../lib/collections.ts'
import type { Difference } from '../plan/schema.ts'
import { isListed, type KnownLine, servedRow } from '../schema.ts'
import type { ResourceName } from '../staging/compare-store.ts'

/** A resource that another source has listed, seen from the source that is read now. */
export type ListedElsewhere = ResourceName & {
  source: string
  /** It stands before the source that is read: by its rank, or by the order of the declaration. */
  above: boolean
  /** It stands behind it. Neither of two sources stands before the other where no one declared an order. */
  below: boolean
  /** It is declared, was read lately and still lists the resource. */
  decides: boolean
}

export type CoveredResource = ResourceName & { by: string }

/** A resource that others are served for, and these. */
export type TakenResource = ResourceName & { sources: string[] }

export type Authority = {
  /** Resources that others decide about, and which: what this one says of the kinds of prices they read is evidence. */
  covered: CoveredResource[]
  /** Resources that another source is served for, with those sources: this one decides about them now. */
  taken: TakenResource[]
  /** Resources that others decide about and further ones are served for: what those do not read goes to this one from these. */
  beside: TakenResource[]
}

/** Decides which of the resources that a source lists it speaks for. */
export function divideAuthority(listed: ResourceName[], elsewhere: ListedElsewhere[]): Authority {
  const others = groupBy(elsewhere, resourceKey)
  const covered: Authority['covered'] = []
  const taken: Authority['taken'] = []
  const beside: Authority['beside'] = []
  for (const { provider, resource } of listed) {
    const listing = others.get(resourceKey({ provider, resource })) ?? []
    const deciders = listing.filter(({ above, decides }) => above && decides)
    for (const { source } of deciders) covered.push({ provider, resource, by: source })
    const ordered = listing.filter((one) => (one.above || one.below) && !deciders.includes(one))
    const sources = [...new Set(ordered.map(({ source }) => source))]
    if (sources.length > 0) (deciders.length === 0 ? taken : beside).push({ provider, resource, sources })
  }
  return { covered, taken, beside }
}

/** The rows that other sources are served with for resources that this one takes over, by line key. */
export type ServedRows = Map<string, NonNullable<KnownLine['takesOver']>>

/** Returns the lines of a source as a takeover compares them: with what is served now, not with what once was. */
export function linesTakingOver(
  known: Map<string, KnownLine>,
  taken: ReadonlySet<string>,
  served: ServedRows,
): Map<string, KnownLine> {
  if (taken.size === 0) return known
  return new Map(
    [...known].map(([key, line]) => {
      if (!taken.has(resourceKey(line)) || isListed(line)) return [key, line]
      const { current: _, missingSince: __, removedAt: ___, ...rest } = line
      return [key, { ...rest, missingCount: 0, takesOver: served.get(key) }]
    }),
  )
}

/**
 * Takes out what a source says of resources that it cannot take over as a whole: a price that is served for them cannot be
 * read, or a person decided about it. Returns the resources that are left.
 */
export function withoutUndecidable(diff: Difference, taken: ReadonlySet<string>) {
  const decided = diff.waiting.filter(({ held }) => held === undefined)
  const unreadable = diff.unreadable
    .filter(({ line, text }) => (isListed(line) || line.takesOver !== undefined) && !isSameZero(line, text))
    .map(({ line }) => line)
  const kept = new Set([...unreadable, ...decided].map(resourceKey).filter((key) => taken.has(key)))
  if (kept.size === 0) return { diff, taken }
  const goesOn = (line: KnownLine) => !kept.has(resourceKey(line))
  return {
    diff: {
      ...diff,
      proposals: diff.proposals.filter(({ line }) => !kept.has(resourceKey(line))),
      waiting: diff.waiting.filter(goesOn),
      unreadable: diff.unreadable.filter(({ line }) => goesOn(line)),
    },
    taken: new Set([...taken].filter((key) => !kept.has(key))),
  }
}

/** One list's free price is another's gap: `0` says the same of both. */
const isSameZero = (line: KnownLine, text: string): boolean => text === '0' && servedRow(line)!.price === '0'

/** Lines of other sources that rows of one source replace, by line key. */
export type ReplacedLines = Map<string, { source: string; line: KnownLine }>

type KindFields = Pick<KnownLine, 'provider' | 'dimension' | 'pricingTier'>

/**
 * Returns what kind of price a line is. A source that reads no price of a kind anywhere at a provider says nothing about
 * that kind: the source before it goes on with it. A region is a kind of its own, because a cloud publishes a list for
 * each. Equal to `price_kind` in the database, which a test compares.
 */
export function kindOfPrice({ provider, dimension, pricingTier }: KindFields): string {
  const tier = JSON.parse(pricingTier) as Record<string, string>
  return [provider, dimension, tier.service ?? '', tier.region ?? '', ...Object.keys(tier).sort()].join(' ')
}
