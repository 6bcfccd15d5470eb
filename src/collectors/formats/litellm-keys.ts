import type { Dimension, PricingTier } from '../../catalog/schema.ts'
import { lookUp } from '../../lib/collections.ts'

/** What a cost key of LiteLLM means; `perSecond` depends on what the model does. */
export type CostKey = {
  dimension: Dimension | 'per_second_in' | 'per_second_out'
  tier: PricingTier
  decimalShift: number
}

const ONE: Record<string, CostKey['dimension']> = {
  input_cost_per_token: 'input_tokens',
  output_cost_per_token: 'output_tokens',
  output_cost_per_reasoning_token: 'reasoning_tokens',
  citation_cost_per_token: 'citation_tokens',
  cache_read_input_token_cost: 'cache_read_tokens',
  input_cost_per_token_cache_hit: 'cache_read_tokens',
  cache_creation_input_token_cost: 'cache_write_tokens',
  input_cost_per_audio_token: 'input_audio_tokens',
  output_cost_per_audio_token: 'output_audio_tokens',
  cache_read_input_audio_token_cost: 'cache_read_audio_tokens',
  cache_read_input_token_cost_per_audio_token: 'cache_read_audio_tokens',
  cache_creation_input_audio_token_cost: 'cache_write_audio_tokens',
  input_cost_per_image_token: 'input_image_tokens',
  output_cost_per_image_token: 'output_image_tokens',
  cache_read_input_image_token_cost: 'cache_read_image_tokens',
  input_cost_per_video_token: 'input_video_tokens',
  output_cost_per_video_token: 'output_video_tokens',
  input_cost_per_character: 'input_characters',
  output_cost_per_character: 'output_characters',
  input_cost_per_image: 'input_images',
  output_cost_per_image: 'output_images',
  input_cost_per_pixel: 'input_pixels',
  output_cost_per_pixel: 'output_pixels',
  input_cost_per_audio_per_second: 'input_audio_seconds',
  output_cost_per_audio_per_second: 'output_audio_seconds',
  input_cost_per_video_per_second: 'input_video_seconds',
  output_cost_per_video_per_second: 'output_video_seconds',
  input_cost_per_second: 'per_second_in',
  output_cost_per_second: 'per_second_out',
  input_cost_per_query: 'rerank_queries',
  input_cost_per_request: 'requests',
  input_cost_per_text_message: 'input_messages',
  ocr_cost_per_page: 'pages',
  annotation_cost_per_page: 'annotated_pages',
  code_interpreter_cost_per_session: 'tool_sessions',
}
/** Priced per thousand. */
const THOUSAND: Record<string, Dimension> = {
  file_search_cost_per_1k_calls: 'storage_searches',
  web_search_cost_per_1k_calls: 'web_searches',
}

const SERVICES = { batches: 'batch', batch: 'batch', priority: 'priority', flex: 'flex', fast: 'fast',
  balanced: 'balanced', ultrafast: 'ultrafast', decisions: 'decisions' } as const // biome-ignore format: a table

/** The key's name holds the tier: size of the request, life of the cache, resolution, service level. */
export function litellmKey(key: string): CostKey | undefined {
  const tier: PricingTier = {}
  let rest = cut(key, /_(batches|batch|priority|flex|fast|balanced|ultrafast|decisions)$/, ([, service]) => {
    tier.service = SERVICES[service as keyof typeof SERVICES]
  })
  rest = cut(rest, /_above_(\d+)k_tokens/, ([, thousands]) => {
    tier.context = `>${thousands}000`
  })
  rest = cut(rest, /_above_(\d+)hr/, ([, hours]) => {
    tier.ttl = `${hours}h`
  })
  rest = cut(rest, /(?<=_per_(?:image|second|video_per_second))_(\d+(?:\.\d+)?(?:p|k|K|x\d+)?)$/, ([, resolution]) => {
    tier.resolution = resolution!.toLowerCase()
  })
  const dimension = lookUp(ONE, rest)
  if (dimension) return { dimension, tier, decimalShift: 0 }
  const thousand = lookUp(THOUSAND, rest)
  return thousand && { dimension: thousand, tier, decimalShift: 3 }
}

function cut(text: string, pattern: RegExp, found: (match: RegExpExecArray) => void): string {
  const match = pattern.exec(text)
  if (!match) return text
  found(match)
  return text.slice(0, match.index) + text.slice(match.index + match[0].length)
}
