import { storableText } from '../../lib/text.ts'
import { tierText } from '../row-rules.ts'
import type { Observation, UnreadablePrice } from '../schema.ts'

/** The columns of a staging table, in the order in which a line is written. */
export const STAGED_COLUMNS = [
  'rank',
  'provider',
  'resource',
  'dimension',
  'unit',
  'currency',
  'pricing_tier',
  'price',
  'unreadable',
  'effective_from',
  'canonical_resource',
  'category',
  'billing_condition',
  'locator',
] as const

/** Returns a price as a line of PostgreSQL's COPY text. Of two prices of one line the lower rank is taken, then the first. */
export const stagedPrice = (observed: Observation, rank?: string): string =>
  row(rank, observed, tierText(observed.pricingTier), observed.price, undefined, observed)

/** Returns a price that is listed and cannot be read as a line of COPY text. */
export const stagedUnreadable = (listed: UnreadablePrice): string =>
  storableText(row(undefined, listed, listed.pricingTier && tierText(listed.pricingTier), undefined, listed.text, {}))

const CHUNK_CHARACTERS = 64 * 1024

/** Returns the lines of a snapshot as chunks of COPY text. */
export function* stagedText(observations: Observation[], unreadable: UnreadablePrice[]): Generator<string> {
  let chunk = ''
  for (const line of stagedLinesOf(observations, unreadable)) {
    chunk += line
    if (chunk.length < CHUNK_CHARACTERS) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

function* stagedLinesOf(observations: Observation[], unreadable: UnreadablePrice[]): Generator<string> {
  for (const observed of observations) yield stagedPrice(observed)
  for (const listed of unreadable) yield stagedUnreadable(listed)
}

type Names = Pick<UnreadablePrice, 'provider' | 'resource' | 'locator'> &
  Partial<Pick<UnreadablePrice, 'dimension' | 'unit' | 'currency'>>
type Details = Partial<Pick<Observation, 'effectiveFrom' | 'canonicalResource' | 'category' | 'billingCondition'>>

function row(
  rank: string | undefined,
  { provider, resource, dimension, unit, currency, locator }: Names,
  tier: string | undefined,
  price: string | undefined,
  unreadable: string | undefined,
  { effectiveFrom, canonicalResource, category, billingCondition }: Details,
): string {
  return (
    `${field(rank)}\t${field(provider)}\t${field(resource)}\t${field(dimension)}\t${field(unit)}\t${field(currency)}\t` +
    `${field(tier)}\t${price ?? NULL}\t${field(unreadable)}\t${field(effectiveFrom)}\t${field(canonicalResource)}\t` +
    `${field(category)}\t${field(billingCondition)}\t${field(locator)}\n`
  )
}

const NULL = '\\N'
const SPECIAL = /[\\\t\n\r]/
const ESCAPES: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function field(text: string | undefined): string {
  if (text === undefined) return NULL
  return SPECIAL.test(text) ? text.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character]!) : text
}
