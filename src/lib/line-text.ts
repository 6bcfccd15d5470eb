/** What is priced, and under which conditions, as people read it: on pages, in feeds and mails. */

const LARGE: [number, string][] = [
  [1_000_000, 'M'],
  [1_000, 'K'],
]

/** `>200000` → `> 200K` */
export function shownContext(context: string): string {
  const [, sign = '', digits = ''] = /^(\D*)(\d+)$/.exec(context) ?? []
  if (digits === '') return context
  const count = Number(digits)
  const [size, mark] = LARGE.find(([size]) => count >= size) ?? [1, '']
  return `${sign} ${Number((count / size).toFixed(1))}${mark}`.trim()
}

/** `cache_read_tokens` → `Cache read` */
export function shownDimension(dimension: string): string {
  const words = dimension
    .replace(/_tokens$/, '')
    .replaceAll('_', ' ')
    .replace(/^gpu\b/, 'GPU')
    .replace(/^vcpu\b/, 'vCPU')
    .replace(/\bgib\b/, 'GiB')
  return words === '' ? dimension : words.replace(/^[a-z](?!CPU)/, (first) => first.toUpperCase())
}

/** The conditions of a price: `batch · above 200K of context`; empty for the standard price. */
export const shownTier = (tier: Record<string, string>): string =>
  Object.entries(tier)
    .map(([name, value]) => (name === 'context' ? `context ${shownContext(value)}` : (TIERS[name]?.(value) ?? value)))
    .join(' · ')

const TIERS: Record<string, (value: string) => string> = {
  ttl: (value) => `kept ${value}`,
  volume: (value) => `volume ${value}`,
}
