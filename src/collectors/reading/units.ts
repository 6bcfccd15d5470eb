import type { Dimension } from '../../catalog/schema.ts'

/** Dimensions whose unit is not their own name without direction and plural. */
const NAMED: { [dimension in Dimension]?: string } = {
  cache_storage_token_hours: 'token_hour',
  storage_gib_months: 'gib_month',
  memory_gib_hours: 'gib_hour',
  egress_gib: 'gib',
  rerank_queries: 'query',
  usage: 'unit',
}
const UNITS = ['token', 'character', 'second', 'image', 'pixel', 'page', 'request', 'search', 'session', 'message']

/** What a dimension is priced per: `input_tokens` → `token`, `gpu_hours` → `gpu_hour`. */
function unitNameOf(dimension: Dimension): string {
  const named = NAMED[dimension]
  if (named) return named
  const last = dimension.slice(dimension.lastIndexOf('_') + 1).replace(/(ch)es$|s$/, '$1')
  if (UNITS.includes(last)) return last
  return dimension.replace(/^(input|output)_/, '').replace(/s$/, '')
}

/** `usd_per_token`: the unit of a price in a currency for one unit of a dimension. */
export const unitOf = (dimension: Dimension, currency: string): string =>
  `${/_CREDIT$/.test(currency) ? 'credit' : currency.toLowerCase()}_per_${unitNameOf(dimension)}`
