import { DIMENSIONS, type Dimension, type PricingTier } from '../../catalog/schema.ts'
import { lookUp } from '../../lib/collections.ts'

/** What a key under `prices` means: a dimension, a tier, and the power of ten of what its price is for. */
export type Meaning = { dimension: Dimension; tier: PricingTier; decimalShift: number }

const OTHER: Record<string, Omit<Meaning, 'tier'>> = {
  requests_kcount: { dimension: 'requests', decimalShift: 3 },
  web_searches_kcount: { dimension: 'web_searches', decimalShift: 3 },
  storage_searches_kcount: { dimension: 'storage_searches', decimalShift: 3 },
  social_searches_kcount: { dimension: 'social_searches', decimalShift: 3 },
  rerank_searches_kcount: { dimension: 'rerank_queries', decimalShift: 3 },
  input_text_messages_kcount: { dimension: 'input_messages', decimalShift: 3 },
  input_document_kpages: { dimension: 'pages', decimalShift: 3 },
  input_annotated_document_kpages: { dimension: 'annotated_pages', decimalShift: 3 },
  input_gpixels: { dimension: 'input_pixels', decimalShift: 9 },
  output_gpixels: { dimension: 'output_pixels', decimalShift: 9 },
  // Hours stay hours: a sixtieth is not a decimal.
  audio_hours: { dimension: 'audio_hours', decimalShift: 0 },
  input_audio_hours: { dimension: 'input_audio_hours', decimalShift: 0 },
  output_audio_hours: { dimension: 'output_audio_hours', decimalShift: 0 },
}

/** direction, modality, kind of token, lifetime of the cache: `cache_audio_write_1h_mtok`. */
const TOKENS =
  /^(input|output|cache)_(?:(text|audio|image|video)_)?(?:(read|write|reasoning|citation)_)?(?:(\d+[mh])_)?mtok$/

export function genaiKey(key: string): Meaning | undefined {
  const other = lookUp(OTHER, key)
  if (other) return { ...other, tier: {} }
  const [matched, direction, modality, kind, ttl] = TOKENS.exec(key) ?? []
  if (!matched || !direction) return undefined
  const stem = stemOf(direction, kind)
  const whole = stem && modality ? `${stem}_${modality}_tokens` : `${stem}_tokens`
  const known = DIMENSIONS.find((dimension) => dimension === whole)
  const dimension = known ?? DIMENSIONS.find((name) => name === `${stem}_tokens`)
  if (!stem || !dimension) return undefined
  const tier = { ...(ttl && { ttl }), ...(!known && modality && { modality }) }
  return { dimension, tier, decimalShift: 6 }
}

function stemOf(direction: string, kind: string | undefined): string | undefined {
  const cached = kind === 'read' || kind === 'write'
  if (direction === 'cache') return cached ? `cache_${kind}` : undefined
  if (direction === 'output' && (kind === 'reasoning' || kind === 'citation')) return kind
  return kind ? undefined : direction
}
