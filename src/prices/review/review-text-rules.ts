/** Returns a change in per cent of the old price, as people read it: `+25 %`, `-99.9 %`. Undefined from a free price. */
export function percentOf(before: string, after: string): string | undefined {
  const [old, now] = [Number(before), Number(after)]
  if (!(old > 0)) return undefined
  const percent = (now / old - 1) * 100
  const digits = Math.abs(percent) >= 10 ? 0 : 1
  const text = percent.toLocaleString('en-US', { maximumFractionDigits: Math.abs(percent + 100) < 1 ? 3 : digits })
  return `${percent > 0 ? '+' : ''}${text === '-0' ? '0' : text} %`
}

type ShownLine = { resource: string; dimension: string; pricingTier: string; price: string; publishedPrice?: string }

/** Returns a held price in one line: its resource, what is priced, old → new and the change in per cent. */
export function lineInWords({ resource, dimension, pricingTier, price, publishedPrice }: ShownLine): string {
  const what = pricingTier === '{}' ? `${resource} ${dimension}` : `${resource} ${dimension} ${pricingTier}`
  if (publishedPrice === undefined) return `${what} first price ${price}`
  const percent = percentOf(publishedPrice, price)
  return `${what} ${publishedPrice} → ${price}${percent ? ` (${percent})` : ''}`
}
