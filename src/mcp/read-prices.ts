import type { HistoryQuery, PriceRow, Pricetape } from '../../clients/typescript/src/index.ts'
import { type Instant, instantOf, MINUTE } from '../lib/instant.ts'
import { findResources, resolveTarget, type Target } from './name-rules.ts'
import { type Period, readPeriod } from './period-rules.ts'
import { ToolError } from './tool.ts'

/** What a question about prices names. */
type Question = { resource: string; provider?: string; dimension?: string }
type ConfirmationFilter = NonNullable<HistoryQuery['confirmed']>
/** Rows and the instant they were read at. */
export type Reading = { asOf: string; rows: PriceRow[] }

/** The newest instant that can be read is 15 minutes ago by the server's clock, which may differ from this one. */
const NEWEST_AFTER_MS = 20 * MINUTE
const MOST_SUGGESTIONS = 5

/**
 * Returns what a question is about, with the names its rows have at `at`.
 * @throws ToolError with names that come close when nothing has that name
 */
async function findTarget(
  prices: Pricetape,
  question: Question,
  { at, signal }: { at?: Instant; signal: AbortSignal },
): Promise<Target> {
  const { resource, provider } = question
  const [listing, providers] = await Promise.all([
    prices.aliases({ signal }),
    provider === undefined ? [] : prices.providers({ signal }),
  ])
  if (provider !== undefined && !providers.some((known) => known.provider === provider))
    throw new ToolError(`There is no provider ${provider}: call list_providers for their slugs.`)
  const target = resolveTarget(listing, resource, provider)
  if (target.sellers.length > 0) return at === undefined ? target : withFormerNames(prices, target, signal)
  const sellers = await sellersThen(prices, question, { at, signal })
  if (sellers.length > 0) return { sellers }
  const elsewhere = resolveTarget(listing, resource).sellers.map((seller) => seller.provider)
  if (elsewhere.length > 0)
    throw new ToolError(`${provider} does not sell ${resource}. These do: ${[...new Set(elsewhere)].join(', ')}.`)
  const close = findResources(listing, resource).slice(0, MOST_SUGGESTIONS)
  const suggestions = close.map((match) => `${match.resource} of ${match.provider}`).join(', ')
  throw new ToolError(
    `Nothing is called ${resource}. ${suggestions ? `Near it: ${suggestions}.` : 'Call find_resource with fewer words.'}`,
  )
}

/** A question with the time it asks about, in words. */
type TimedQuestion = Question & { at?: string }

/** Returns who sells the resource of a question, and its rows at the end of the time that it asks about. */
export async function rowsAt(
  prices: Pricetape,
  { at, ...question }: TimedQuestion,
  {
    dimension,
    ...options
  }: { dimension?: string; confirmed?: ConfirmationFilter; credits?: true; signal: AbortSignal },
) {
  const period = periodOf(at, Date.now())
  const target = await findTarget(prices, question, { at: period?.to, signal: options.signal })
  return { period, target, ...(await readRows(prices, target, { at: period?.to, dimension, ...options })) }
}

/** A resource that was renamed is served under its former name at instants before that. */
async function withFormerNames(prices: Pricetape, target: Target, signal: AbortSignal): Promise<Target> {
  const { rows } = await readRows(prices, target, { signal })
  const former = rows.map(({ provider, resource }) => ({ provider, resource }))
  const all = new Map([...target.sellers, ...former].map((seller) => [sellerKey(seller), seller]))
  return { ...target, sellers: [...all.values()] }
}

/** Returns who sold at an instant what is not listed any more. */
async function sellersThen(
  prices: Pricetape,
  { resource, provider }: Question,
  { at, signal }: { at?: Instant; signal: AbortSignal },
): Promise<Target['sellers']> {
  const providers = provider === undefined ? undefined : [provider]
  const found = await prices.walk({ resource: [resource], providers, asOf: readable(at) }, { signal })
  const sellers = found.prices.map((row) => ({ provider: row.provider, resource: row.resource }))
  return [...new Map(sellers.map((seller) => [sellerKey(seller), seller])).values()]
}

const sellerKey = ({ provider, resource }: Target['sellers'][number]): string => JSON.stringify([provider, resource])

/** Returns an instant that can be read, or undefined for the newest that can. */
const readable = (at: Instant | undefined): Instant | undefined =>
  at !== undefined && at < instantOf(Date.now() - NEWEST_AFTER_MS) ? at : undefined

/** Returns the period a question asks about; undefined for the newest instant. @throws ToolError */
function periodOf(at: string | undefined, now: number): Period | undefined {
  if (at === undefined) return undefined
  const period = readPeriod(at)
  if (!period) throw new ToolError(`${at} is not a month (2026-03), day (2026-03-15), year or RFC 3339 instant.`)
  if ((period.from ?? period.to) > instantOf(now))
    throw new ToolError(`${at} is in the future: nothing is recorded yet.`)
  return period
}

/**
 * Returns the rows of a target as they were served at an instant; of the newest one when it is left out or too new. With
 * `credits`, what the credits of its sellers cost is among them.
 */
export async function readRows(
  prices: Pricetape,
  target: Target,
  {
    at,
    dimension,
    confirmed,
    credits,
    signal,
  }: { at?: Instant; dimension?: string; confirmed?: ConfirmationFilter; credits?: true; signal: AbortSignal },
): Promise<Reading> {
  const providers = [...new Set(target.sellers.map(({ provider }) => provider))]
  // Not by name: rows of a resource that was renamed since are under its former name.
  const query = {
    providers,
    asOf: readable(at),
    dimension: dimension === undefined ? undefined : [dimension],
    confirmed,
    include: ['confirmation'] as const,
  }
  const walk = await prices.walk(query, { signal })
  const sold = new Set(target.sellers.map(sellerKey))
  const isOf = ({ provider, resource, renamedTo = resource }: PriceRow) =>
    [resource, renamedTo].some((name) => sold.has(sellerKey({ provider, resource: name })))
  const rows = walk.prices.filter(isOf)
  const inCredits = new Set(rows.flatMap(({ provider, currency }) => (currency.endsWith('_CREDIT') ? provider : [])))
  const isTheirs = (row: PriceRow) => row.dimension === 'credits' && inCredits.has(row.provider) && !isOf(row)
  return { asOf: walk.asOf, rows: credits ? [...rows, ...walk.prices.filter(isTheirs)] : rows }
}
