import type { ShownFact } from '../../catalog/facts/fact-schema.ts'
import { factsAt } from '../../catalog/facts/fact-store.ts'
import { isCredit } from '../../catalog/resource-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { type ShownUnit, shownUnit } from '../../lib/text/price-text.ts'
import type { ShownConfirmation } from '../confirmation/answer-schema.ts'
import { MAX_PAGE_ROWS } from '../history/history-rules.ts'
import { historyPage } from '../history/history-store.ts'
import { type ShownUpcoming, upcomingAt } from '../upcoming/upcoming-store.ts'
import { providerNames } from './explore-store.ts'
import { finalAt, openInstant, type ShownRange } from './open-instant.ts'
import { type Renaming, type ResourceName, renamingsTo, type SeriesRow, seriesRows } from './series-store.ts'

type ShownRow = SeriesRow & ShownUnit & { confirmation: ShownConfirmation | null }

export type Series = ShownRange & {
  rows: ShownRow[]
  /** What the credits cost that rows are priced in. */
  credits: ShownRow[]
  /** How many older rows there are beside these: a page shows no more. */
  leftOut: number
  renamings: Renaming[]
  /** What was announced at the instant and had not begun. */
  upcoming: (ShownUpcoming & ShownUnit)[]
  /** What is stated of the resources beside their prices. */
  facts: ShownFact[]
  providers: Record<string, string>
}

/**
 * Returns the history of some resources until an instant: the rows that were ever served, with their evidence.
 * @throws AppError as_of_too_recent
 */
export async function readSeries(sql: Sql, names: ResourceName[], wanted: { asOf?: Instant }): Promise<Series> {
  const { asOf, range } = await openInstant(sql, wanted)
  const [{ rows, leftOut }, confirmations, renamings, upcoming, facts, providers] = await Promise.all([
    seriesRows(sql, asOf, names),
    confirmationsOf(sql, asOf, names),
    renamingsTo(sql, asOf, names),
    upcomingAt(sql, asOf, names),
    factsAt(sql, asOf, names),
    providerNames(sql),
  ])
  const credits = await seriesRows(sql, asOf, creditsOf(rows))
  const inUnit = <T extends { unit: string }>(priced: T[]) => priced.map((one) => ({ ...one, ...shownUnit(one.unit) }))
  const changed = rows.flatMap(({ publishedAt, unpublishedAt }) => [publishedAt, unpublishedAt ?? publishedAt])
  const young = changed
    .filter((at) => at > range.newest)
    .sort()
    .at(-1)
  const { finalFrom: _, ...instants } = range
  return {
    ...instants,
    ...(young && { finalFrom: finalAt(young) }),
    rows: inUnit(rows).map((row) => ({ ...row, confirmation: confirmations.get(row.contentHash) ?? null })),
    credits: inUnit(credits.rows).map((row) => ({ ...row, confirmation: null })),
    leftOut,
    renamings,
    upcoming: inUnit(upcoming),
    facts,
    providers,
  }
}

/** A credit is a resource with the name of its currency. */
function creditsOf(rows: SeriesRow[]): ResourceName[] {
  const inCredits = rows.filter((row) => isCredit(row) && row.dimension !== 'credits')
  const names = inCredits.map(({ provider, currency }) => ({ provider, resource: currency }))
  return [...new Map(names.map((name) => [JSON.stringify(name), name])).values()]
}

/** Returns who confirmed the current prices of some resources as of an instant, by contentHash. */
async function confirmationsOf(
  sql: Sql,
  asOf: Instant,
  members: ResourceName[],
): Promise<Map<string, ShownConfirmation>> {
  const rows = { members, filters: { current: true as const } }
  const { prices } = await historyPage(sql, { asOf, rows, after: '', limit: MAX_PAGE_ROWS, include: ['confirmation'] })
  const found = JSON.parse(`[${prices.toString()}]`) as (ShownConfirmation & { contentHash: string })[]
  return new Map(
    found.flatMap(({ contentHash, confirmedAt, contradictedSince, confirmedBy }) =>
      confirmedBy ? [[contentHash, { confirmedAt, contradictedSince, confirmedBy }]] : [],
    ),
  )
}
