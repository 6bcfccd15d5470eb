import { resourceKey } from '../../../catalog/resource-rules.ts'
import type { Difference } from '../schema.ts'
import { MASS_LEAST } from './batch-rules.ts'

/** Whether a snapshot differs in enough resources that being an old one matters. */
export function differsWidely({ proposals, missing, confirmed, waiting }: Difference): boolean {
  const relisted = confirmed.filter((line) => line.removedAt || line.missingSince)
  const fresh = missing.filter((line) => line.current && !line.missingSince)
  const lines = [...proposals.map(({ line }) => line), ...fresh, ...relisted, ...waiting]
  return new Set(lines.map(resourceKey)).size >= MASS_LEAST
}
