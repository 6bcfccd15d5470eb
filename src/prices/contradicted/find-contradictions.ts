import { readAgain } from '../../catalog/sources/source-ingest-store.ts'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { readingAll } from '../staging/compare-store.ts'
import { CONTRADICTED_AFTER_MS, contradictedLines } from './contradicted-rules.ts'
import { contradictions, forgetContradictions, lockContradictions, recordContradictions } from './contradicted-store.ts'

/**
 * Finds the served lines that other sources contradict. A source that decides about a line from now on is read again at
 * its next check: its price is judged like any change.
 */
export async function findContradictions(sql: Sql, now: Instant): Promise<{ contradicted: number }> {
  return readingAll(sql, async (tx) => {
    await lockContradictions(tx)
    const found = contradictedLines(await contradictions(tx, plus(now, -CONTRADICTED_AFTER_MS), now))
    const deciding = [...(await forgetContradictions(tx, found, now)), ...(await recordContradictions(tx, found))]
    for (const source of new Set(deciding)) await readAgain(tx, source)
    return { contradicted: found.length }
  })
}
