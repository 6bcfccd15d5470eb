import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { stateOf, worstFirst } from './accuracy-rules.ts'
import { dayTotals, newestDay } from './accuracy-store.ts'
import { disputedPrices } from './facts-store.ts'
import type { ContradictedPrice, DayMeasurement, DayTotal } from './schema.ts'

export type { ContradictedPrice } from './schema.ts'

const HISTORY_DAYS = 30

/** What was measured last, the worst first, and the sums of the last 30 days. Nothing is there before the first time. */
export type Accuracy = { newest?: DayMeasurement; history: DayTotal[] }

export async function readAccuracy(sql: Sql): Promise<Accuracy> {
  const newest = await newestDay(sql)
  if (!newest) return { history: [] }
  return { newest: { ...newest, groups: worstFirst(newest.groups) }, history: await dayTotals(sql, HISTORY_DAYS) }
}

/** Returns the served prices of a provider that its sources contradict now, as the measure counts them. */
export async function listContradictedNow(sql: Sql, provider: string, now: Instant): Promise<ContradictedPrice[]> {
  const disputed = await disputedPrices(sql, now, provider)
  return disputed.filter((one) => stateOf(one) === 'contradicted')
}
