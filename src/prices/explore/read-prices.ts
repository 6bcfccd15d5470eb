import { modelsOfResources } from '../../aliases/model-name-store.ts'
import { factsAt } from '../../catalog/facts/fact-store.ts'
import type { Sql } from '../../lib/sql.ts'
import { MAX_PAGE_ROWS } from '../history/history-rules.ts'
import { historyPage } from '../history/history-store.ts'
import { rowScope } from '../history/scope-rules.ts'
import { upcomingAt } from '../upcoming/upcoming-store.ts'
import { confirmedResources } from './confirmed-store.ts'
import { gpuConditions, providerNames } from './explore-store.ts'
import { openInstant, type ShownRange, type WantedInstant } from './open-instant.ts'
import { type PackedPrices, packPrices } from './pack-rules.ts'

export type CurrentPrices = PackedPrices &
  ShownRange & {
    /** How many rows of the price history these are. */
    rows: number
    providers: Record<string, string>
    /** Providers that price in credits: their prices are read when they are named. */
    creditProviders: string[]
  }

/**
 * Returns every current price at an instant: the rows that the price history answers with `current=true`, packed.
 * @throws AppError as_of_too_recent, invalid_query
 */
export async function readPrices(sql: Sql, wanted: WantedInstant): Promise<CurrentPrices> {
  const { open, asOf, range } = await openInstant(sql, wanted)
  const rows = rowScope(open.request, open.scope)
  const found = []
  for (let after: string | undefined = ''; after !== undefined; ) {
    const page = await historyPage(sql, { asOf, rows, after, limit: MAX_PAGE_ROWS })
    found.push(...JSON.parse(`[${page.prices.toString()}]`))
    after = page.next
  }
  const [conditions, known, facts, confirmed, upcoming] = await Promise.all([
    gpuConditions(sql, asOf),
    modelsOfResources(sql),
    factsAt(sql, asOf),
    confirmedResources(sql, asOf),
    upcomingAt(sql, asOf),
  ])
  const packed = packPrices(found, { conditions, known, facts, confirmed, upcoming })
  const { creditProviders } = open.scope
  return { ...range, rows: found.length, providers: await providerNames(sql), creditProviders, ...packed }
}
