import { z } from 'zod'
import type { UsageItem } from '../../../clients/typescript/src/cost/index.ts'

/** What a report counts of one model, in one tier: totals of many requests. */
export type ReportLine = {
  model: string
  items: UsageItem[]
  tier: Record<string, string>
  /** Input of a usual request, for prices with steps; absent where the report does not say. */
  contextTokens?: number
}

const count = z.coerce.number().min(0).optional()
const word = z.string().optional()

/** A result of OpenAI's usage API, grouped by model: its input holds what was cached and what is audio. */
const openAi = z.object({
  model: z.string().min(1),
  input_tokens: z.coerce.number().min(0),
  input_uncached_tokens: count,
  input_cached_tokens: z.coerce.number().min(0),
  input_audio_tokens: count,
  output_tokens: count,
  output_audio_tokens: count,
  num_model_requests: count,
  batch: z.union([z.boolean(), z.literal(['true', 'false', ''])]).optional(),
  service_tier: word,
})

/** A result of Anthropic's usage API, grouped by model. */
const anthropic = z.object({
  model: z.string().min(1),
  uncached_input_tokens: z.coerce.number().min(0),
  cache_read_input_tokens: count,
  cache_creation: z.object({ ephemeral_5m_input_tokens: count, ephemeral_1h_input_tokens: count }).optional(),
  output_tokens: count,
  server_tool_use: z.object({ web_search_requests: count }).optional(),
  service_tier: word,
  context_window: word,
})

/** A row of the CSV that Anthropic's console exports. */
const anthropicCsv = z.object({
  model_version: z.string().min(1),
  usage_input_tokens_no_cache: z.coerce.number().min(0),
  usage_input_tokens_cache_read: count,
  usage_input_tokens_cache_write_5m: count,
  usage_input_tokens_cache_write_1h: count,
  usage_output_tokens: count,
  web_search_count: count,
  usage_type: word,
  context_window: word,
})

/** A row of one's own: a column for each dimension, such as `input_tokens` and `cache_read_tokens`, each token once. */
const own = z.looseObject({ model: z.string().min(1), service: word, requests: count, context_tokens: count })
const DIMENSION = /^[a-z][a-z0-9_]*(_tokens|_searches|_images|_seconds|_characters|_hours|_requests)$/

const SERVICES: Record<string, string> = { batch: 'batch', flex: 'flex', priority: 'priority' }
const tierOf = (service: string | undefined): Record<string, string> => {
  const known = SERVICES[service?.toLowerCase() ?? '']
  return known ? { service: known } : {}
}

/** `0-200k` → 1, `200k-1M` → 200,001: enough to choose the step. */
function contextOf(window: string | undefined): { contextTokens?: number } {
  const [, from, unit] = /^(?:>\s*)?(\d+)\s*(k|m)?/i.exec(window ?? '') ?? []
  if (from === undefined) return {}
  return { contextTokens: Number(from) * ({ k: 1_000, m: 1_000_000 }[unit?.toLowerCase() ?? ''] ?? 1) + 1 }
}

const items = (
  given: [dimension: string, quantity: number | undefined, tier?: Record<string, string>][],
): UsageItem[] =>
  given.flatMap(([dimension, quantity, tier]) => (quantity ? [{ dimension, quantity, ...(tier && { tier }) }] : []))

/** Returns what a row of a report counts; undefined where it is none that is known. */
export function reportLine(row: unknown): ReportLine | undefined {
  return fromOpenAi(row) ?? fromAnthropic(row) ?? fromAnthropicCsv(row) ?? fromOwn(row)
}

function fromOpenAi(row: unknown): ReportLine | undefined {
  const { data } = openAi.safeParse(row)
  if (!data) return undefined
  const { input_tokens: input, input_cached_tokens: cached, input_audio_tokens: audio = 0 } = data
  const { output_tokens: output = 0, output_audio_tokens: spoken = 0, num_model_requests: requests } = data
  const isBatch = data.batch === true || data.batch === 'true'
  return {
    model: data.model,
    items: items([
      ['input_tokens', data.input_uncached_tokens ?? Math.max(0, input - cached - audio)],
      ['cache_read_tokens', cached],
      ['input_audio_tokens', audio],
      ['output_tokens', Math.max(0, output - spoken)],
      ['output_audio_tokens', spoken],
    ]),
    tier: tierOf(isBatch ? 'batch' : data.service_tier),
    ...(requests && { contextTokens: Math.round(input / requests) }),
  }
}

function fromAnthropic(row: unknown): ReportLine | undefined {
  const { data } = anthropic.safeParse(row)
  if (!data) return undefined
  const { cache_creation: written } = data
  return {
    model: data.model,
    items: items([
      ['input_tokens', data.uncached_input_tokens],
      ['cache_read_tokens', data.cache_read_input_tokens],
      ['cache_write_tokens', written?.ephemeral_5m_input_tokens, { ttl: '5m' }],
      ['cache_write_tokens', written?.ephemeral_1h_input_tokens, { ttl: '1h' }],
      ['output_tokens', data.output_tokens],
      ['web_searches', data.server_tool_use?.web_search_requests],
    ]),
    tier: tierOf(data.service_tier),
    ...contextOf(data.context_window),
  }
}

function fromAnthropicCsv(row: unknown): ReportLine | undefined {
  const { data } = anthropicCsv.safeParse(row)
  if (!data) return undefined
  return {
    model: data.model_version,
    items: items([
      ['input_tokens', data.usage_input_tokens_no_cache],
      ['cache_read_tokens', data.usage_input_tokens_cache_read],
      ['cache_write_tokens', data.usage_input_tokens_cache_write_5m, { ttl: '5m' }],
      ['cache_write_tokens', data.usage_input_tokens_cache_write_1h, { ttl: '1h' }],
      ['output_tokens', data.usage_output_tokens],
      ['web_searches', data.web_search_count],
    ]),
    tier: tierOf(data.usage_type),
    ...contextOf(data.context_window),
  }
}

function fromOwn(row: unknown): ReportLine | undefined {
  const { data } = own.safeParse(row)
  if (!data) return undefined
  const { model, service, requests = 1, context_tokens: contextTokens, ...others } = data
  const given = Object.entries(others).flatMap(([dimension, value]): [string, number][] => {
    const quantity = z.coerce.number().min(0).safeParse(value).data
    return DIMENSION.test(dimension) && quantity ? [[dimension, quantity * requests]] : []
  })
  if (given.length === 0) return undefined
  return { model, items: items(given), tier: tierOf(service), ...(contextTokens && { contextTokens }) }
}
