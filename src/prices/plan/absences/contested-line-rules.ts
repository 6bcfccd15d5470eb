import { joinKey } from '../../../lib/collections.ts'
import type { KnownLine } from '../../schema.ts'
import type { ContestedPart } from '../evidence/evidence-schema.ts'
import type { Difference } from '../schema.ts'

/**
 * Returns the new lines that differ from a missing line in unit or currency alone, with those missing lines. It is
 * damage or a new price list: a person decides.
 */
export function contestedLines(diff: Difference): { fresh: Map<string, ContestedPart>; missing: Set<KnownLine> } {
  const fresh = new Map<string, ContestedPart>()
  const missing = new Set<KnownLine>()
  const absent = new Map(diff.missing.filter((line) => line.current).map((line) => [keyWithoutMoney(line), line]))
  if (absent.size === 0) return { fresh, missing }
  for (const { key, kind, line } of diff.proposals) {
    const before = kind === 'new' ? absent.get(keyWithoutMoney(line)) : undefined
    if (!before) continue
    fresh.set(key, before.currency === line.currency ? 'unit' : 'currency')
    missing.add(before)
  }
  for (const line of diff.waiting) {
    const before = line.current ? undefined : absent.get(keyWithoutMoney(line))
    if (before) missing.add(before)
  }
  return { fresh, missing }
}

type Line = { provider: string; resource: string; dimension: string; pricingTier: string }

const keyWithoutMoney = ({ provider, resource, dimension, pricingTier }: Line) =>
  joinKey(provider, resource, dimension, pricingTier)
