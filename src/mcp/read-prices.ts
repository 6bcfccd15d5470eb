import type { PriceRow, Pricetape } from '../../clients/typescript/src/index.ts'
import { type Instant, instantOf, MINUTE } from '../lib/instant.ts'
import { findResources, resolveTarget, type Target } from './name-rules.ts'
import { type Period, readPeriod } from './period-rules.ts'
import { ToolError } from './tool.ts'

/** What a question about prices names. */
export type Question = { resource: string; provider?: string; dimension?: string }
/** Rows and the instant they were read at. */
export type Reading = { asOf: string; rows: PriceRow[] }

/** The newest instant that can be read is 15 minutes ago by the server's clock, which may differ from this one. */
const NEWEST_AFTER_MS = 20 * MINUTE
const MOST_SUGGESTIONS = 5

/** Returns what a question is about. @throws ToolError with names that come close when nothing is called so */
export async function findTarget(prices: Pricetape, question: Question, signal: AbortSignal): Promise<Target> {
  const [listing, providers] = await Promise.all([
    prices.aliases({ signal }),
    question.provider === undefined ? [] : prices.providers({ signal }),
  ])
  if (question.provider !== undefined && !providers.some(({ provider }) => provider === question.provider))
    throw new ToolError(`There is no provider ${question.provider}: call list_providers for their slugs.`)
  const target = resolveTarget(listing, question.resource, question.provider)
  if (target.sellers.length > 0) return target
  const elsewhere = resolveTarget(listing, question.resource).sellers.map(({ provider }) => provider)
  if (elsewhere.length > 0)
    throw new ToolError(
      `${question.provider} does not sell ${question.resource}. These do: ${[...new Set(elsewhere)].join(', ')}.`,
    )
  const close = findResources(listing, question.resource).slice(0, MOST_SUGGESTIONS)
  const suggestions = close.map(({ provider, resource }) => `${resource} of ${provider}`).join(', ')
  throw new ToolError(
    `Nothing is called ${question.resource}. ${suggestions ? `Near it: ${suggestions}.` : 'Call find_resource with fewer words.'}`,
  )
}

/** Returns the period a question asks about; undefined for the newest instant. @throws ToolError */
export function periodOf(at: string | undefined, now: number): Period | undefined {
  if (at === undefined) return undefined
  const period = readPeriod(at)
  if (!period) throw new ToolError(`${at} is no month (2026-03), day (2026-03-15), year or RFC 3339 instant.`)
  if ((period.from ?? period.to) > instantOf(now))
    throw new ToolError(`${at} is in the future: nothing is recorded yet.`)
  return period
}

/** Returns the rows of a target as they were served at an instant; of the newest one when it is left out or too new. */
export async function readRows(
  prices: Pricetape,
  target: Target,
  { at, dimension, signal }: { at?: Instant; dimension?: string; signal: AbortSignal },
): Promise<Reading> {
  const asOf = at !== undefined && at < instantOf(Date.now() - NEWEST_AFTER_MS) ? at : undefined
  const providers = [...new Set(target.sellers.map(({ provider }) => provider))]
  const walk = await prices.walk({ providers, asOf }, { signal })
  const sold = new Set(target.sellers.map(({ provider, resource }) => JSON.stringify([provider, resource])))
  const isOf = ({ provider, resource, renamedTo }: PriceRow) =>
    [resource, renamedTo].some((name) => name !== undefined && sold.has(JSON.stringify([provider, name])))
  const rows = walk.prices.filter((row) => isOf(row) && (dimension === undefined || row.dimension === dimension))
  return { asOf: walk.asOf, rows }
}
