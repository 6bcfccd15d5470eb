import { DAY, type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { readingAll } from '../staging/compare-store.ts'
import { groupsOf, servedOf, totalsOf } from './accuracy-rules.ts'
import { replaceDay } from './accuracy-store.ts'
import { factsOfServed } from './facts-store.ts'
import { publicationLags } from './lag-store.ts'
import type { DayMeasurement } from './schema.ts'

/**
 * Compares what is served with every source and witness as they were last read, and records it for the day. Measured again
 * on the same day, it replaces what was measured before.
 */
export function measureServed(
  sql: Sql,
  now: Instant,
): Promise<DayMeasurement & { served: number; contradicted: number }> {
  return readingAll(sql, async (tx) => {
    const lags = await publicationLags(tx, plus(now, -DAY), now)
    const groups = groupsOf(await factsOfServed(tx, now), lags.groups)
    const measured = { day: now.slice(0, 'YYYY-MM-DD'.length), measuredAt: now, total: lags.total, groups }
    await replaceDay(tx, measured)
    const totals = totalsOf(groups)
    return { ...measured, served: servedOf(totals), contradicted: totals.contradicted }
  })
}
