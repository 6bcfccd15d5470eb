import { resourceKey } from '../../catalog/resource-rules.ts'
import { sha256 } from '../../lib/hash.ts'
import { identityOf, lineKey } from '../row-rules.ts'
import type { Observation } from '../schema.ts'
import { MASS_LEAST } from './batch-rules.ts'
import type { Difference } from './schema.ts'

/** Returns a hash of the lines and prices of a snapshot, whatever their order. */
export function contentOf(observations: Observation[]): string {
  const lines = observations.map((observed) => `${lineKey(identityOf(observed))} ${observed.price}`)
  return sha256(lines.sort().join('\n'))
}

/** Whether a snapshot differs in so many resources that being an old one matters. */
export function differsWidely({ proposals, missing, confirmed, waiting }: Difference): boolean {
  const relisted = confirmed.filter((line) => line.removedAt || line.missingSince)
  const fresh = missing.filter((line) => line.current && !line.missingSince)
  const lines = [...proposals.map(({ line }) => line), ...fresh, ...relisted, ...waiting]
  return new Set(lines.map(resourceKey)).size >= MASS_LEAST
}
