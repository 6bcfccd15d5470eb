import { type PriceRow, priceLines } from '../../clients/typescript/src/index.ts'
import type { Instant } from '../lib/instant.ts'
import { confirmationText, perMillionTokens, priceText, tierText } from './price-rules.ts'
import type { PriceAnswer } from './schema.ts'

function answerOf(row: PriceRow, more: Pick<PriceAnswer, 'replacedAt' | 'listedAtEnd'>): PriceAnswer {
  const perMillion = perMillionTokens(row)
  return { ...row, ...(perMillion !== undefined && { perMillionTokens: perMillion }), ...more }
}

/**
 * Returns the price of each line at an instant; with `from`, every price that held at some time from then on.
 * @param end the rows served at the instant, or at the end of the period
 * @param start the rows served at the beginning of the period
 * @param first the provider whose prices come first
 */
export function pricesIn(
  end: PriceRow[],
  { start = [], from, first }: { start?: PriceRow[]; from?: Instant; first?: string } = {},
): PriceAnswer[] {
  const held = priceLines(end).flatMap((line) =>
    line.flatMap((row, index) => {
      const next = line[index - 1]
      if (!next) return [answerOf(row, { listedAtEnd: true })]
      if (from === undefined || next.recordedAt <= from) return []
      return [answerOf(row, { replacedAt: next.recordedAt, listedAtEnd: true })]
    }),
  )
  const served = new Set(end.map(({ contentHash }) => contentHash))
  const gone = priceLines(start)
    .map(([newest]) => newest!)
    .filter(({ contentHash }) => !served.has(contentHash))
    .map((row) => answerOf(row, { listedAtEnd: false }))
  return [...held, ...gone].sort((a, b) => (sortKey(a, first) < sortKey(b, first) ? -1 : 1))
}

function sortKey(row: PriceAnswer, first: string | undefined): string {
  const { provider, resource, source, pricingTier, dimension, currency, recordedAt } = row
  const tier = tierText(pricingTier)
  return [provider === first ? 0 : 1, provider, resource, source, currency, tier, dimension, recordedAt].join('\0')
}

/** Returns the prices as lines for people, under a heading for each seller and source. */
export function pricesText(prices: PriceAnswer[]): string {
  let heading = ''
  return prices
    .flatMap((row) => {
      const { provider, resource, source, renamedTo } = row
      const own = `${provider} ${resource}${renamedTo ? ` (now ${renamedTo})` : ''}, source ${source}:`
      const line = `  ${priceLineText(row)}`
      if (own === heading) return [line]
      heading = own
      return [own, line]
    })
    .join('\n')
}

function priceLineText(row: PriceAnswer): string {
  const { dimension, pricingTier, recordedAt, replacedAt, listedAtEnd } = row
  const tier = tierText(pricingTier)
  return [
    `${dimension}${tier && ` [${tier}]`}: ${priceText(row)}`,
    `recorded ${recordedAt}`,
    replacedAt && `replaced ${replacedAt}`,
    confirmationText(row),
    !listedAtEnd && 'no longer served at the end of the period',
  ]
    .filter(Boolean)
    .join(', ')
}
