import { joinKey } from '../../lib/collections.ts'
import type { Sql } from '../../lib/sql.ts'
import { publishing } from '../clock/clock-store.ts'
import { RANKS, rankFor } from '../schema.ts'
import type { StatedFact } from './fact-schema.ts'
import { placeOfSource, replaceFacts, statesNews } from './fact-store.ts'

/**
 * Records what a source states of its resources now: a publication, where that is something else than before. Of a fact
 * that is stated twice the first one counts.
 * @throws AppError `unavailable` while the clock is ahead of the time
 */
export async function recordFacts(sql: Sql, source: string, facts: StatedFact[]): Promise<void> {
  const place = await placeOfSource(sql, source)
  if (!place) return
  const { position } = place
  const distinct = new Map(facts.map((one) => [joinKey(one.provider, one.resource, one.fact), one] as const).reverse())
  const placed = [...distinct.values()].map((one) => ({
    ...one,
    rank: RANKS.indexOf(rankFor(place, one.provider)),
    position,
  }))
  if (!(await statesNews(sql, source, placed))) return
  await publishing(sql, (tx, { at }) => replaceFacts(tx, source, at, placed))
}
