import { groupBy, joinKey } from '../../../lib/collections.ts'
import { isListed, type KnownLine } from '../../schema.ts'
import { isMassChange } from '../difference/batch-rules.ts'
import type { ListedCounts } from '../difference/listing-rules.ts'
import type { AbsenceToReview } from '../schema.ts'

/**
 * Returns the absent lines of listed resources that enough resources of a provider lost together that the source, not
 * the provider, may have dropped them: a field that is written differently, or left out. A person decides.
 */
export function linesLostTogether(absent: KnownLine[], listed: ListedCounts): Set<KnownLine> {
  const lost = new Set<KnownLine>()
  for (const [provider, lines] of groupBy(absent, (line) => line.provider)) {
    if (isMassChange(resourcesOf(lines), listed.resources.get(provider) ?? 0)) for (const line of lines) lost.add(line)
    for (const [dimension, missing] of groupBy(lines, (line) => line.dimension))
      if (isMassChange(resourcesOf(missing), listed.withDimension.get(joinKey(provider, dimension)) ?? 0))
        for (const line of missing) lost.add(line)
  }
  return lost
}

const resourcesOf = (lines: KnownLine[]) => new Set(lines.map(({ resource }) => resource)).size

/** Returns one item for each provider that lost lines. */
export const lostLineItems = (lost: Iterable<KnownLine>): AbsenceToReview[] =>
  [...groupBy(lost, ({ provider }) => provider)].map(([provider, lines]) => ({
    provider,
    kind: 'line_removal',
    reason: 'lines_missing_everywhere',
    resources: distinct(lines.map(({ resource }) => resource)),
    texts: distinct(lines.map(({ dimension, pricingTier }) => `${dimension} ${pricingTier}`)),
  }))

/** Returns one item for each provider with prices that are listed and cannot be read. */
export const unreadableItems = (unreadable: { line: KnownLine; text: string }[]): AbsenceToReview[] =>
  [
    ...groupBy(
      unreadable.filter(({ line }) => isListed(line)),
      ({ line }) => line.provider,
    ),
  ].map(([provider, lines]) => ({
    provider,
    kind: 'unreadable',
    reason: 'unreadable_price',
    resources: distinct(lines.map(({ line }) => line.resource)),
    texts: distinct(lines.map(({ line, text }) => `${line.resource} ${line.dimension} ${line.pricingTier} = ${text}`)),
  }))

const distinct = (texts: string[]) => [...new Set(texts)].sort()
