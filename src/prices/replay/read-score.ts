import { groupBy } from '../../lib/collections.ts'
import type { Sql } from '../../lib/sql.ts'
import type { LineIdentity } from '../schema.ts'
import { heldByReason, removedLines, servedPeriods } from '../store/served-store.ts'
import type { Miss } from './miss-rules.ts'
import { rawKey } from './raw-change-rules.ts'
import type { RawHistory } from './raw-history.ts'
import { type Score, score } from './score-rules.ts'

/** Compares what a source's replay served with what its recorded snapshots say. */
export async function readScore(
  sql: Sql,
  source: string,
  history: RawHistory,
): Promise<{ score: Score & { stillHeld: Record<string, number> }; misses: Miss[] }> {
  const served = (await servedPeriods(sql, source)).map((row) => ({
    ...row,
    key: keyOf(row),
    from: row.from ?? undefined,
    to: row.to ?? undefined,
    heldFor: row.heldFor ?? [],
  }))
  const removals = (await removedLines(sql, source)).map((line) => ({ key: keyOf(line), at: line.at }))
  const rows = groupBy(served, ({ key }) => key)
  const found = score(history, rows, removals)
  return { score: { ...found.score, stillHeld: await heldByReason(sql, source) }, misses: found.misses }
}

const keyOf = ({ pricingTier, ...line }: LineIdentity): string =>
  rawKey({ ...line, pricingTier: JSON.parse(pricingTier) })
