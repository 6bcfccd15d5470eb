import type { CollectOutcome } from './schema.ts'

/** One host that does not answer has its own trouble. */
const MIN_HOSTS = 2

/** The result of a collection, and the host it was to be read from. */
export type CollectionResult = { outcome: CollectOutcome; host: string }

/** Returns a sentence for the operator when a check could connect to none of the hosts it tried, which were several. */
export function noInternet(tried: CollectionResult[]): string | undefined {
  const unreachable = tried.filter(({ outcome }) => outcome.unreachable)
  if (tried.some(({ outcome }) => !outcome.unreachable && outcome.outcome !== 'skipped')) return undefined
  if (new Set(unreachable.map(({ host }) => host)).size < MIN_HOSTS) return undefined
  return (
    `There is no internet here: none of ${unreachable.length} sources could be reached. Connect this machine, or set ` +
    'PRICETAPE_OFFLINE=true to use only what needs no internet. Each source: npx pricetape source list'
  )
}
