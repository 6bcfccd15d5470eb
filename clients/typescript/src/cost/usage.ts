import type { UsageItem } from './types.ts'

/** The `usage` of an answer of OpenAI's API, and of the many that copy it: Chat Completions or Responses. */
export type OpenAiUsage = {
  prompt_tokens?: number
  completion_tokens?: number
  input_tokens?: number
  output_tokens?: number
  prompt_tokens_details?: InputDetails | null
  input_tokens_details?: InputDetails | null
  completion_tokens_details?: OutputDetails | null
  output_tokens_details?: OutputDetails | null
}
type InputDetails = { cached_tokens?: number | null; audio_tokens?: number | null }
type OutputDetails = { reasoning_tokens?: number | null; audio_tokens?: number | null }

/** The `usage` of an answer of Anthropic's API. */
export type AnthropicUsage = {
  input_tokens?: number
  output_tokens?: number
  cache_read_input_tokens?: number | null
  cache_creation_input_tokens?: number | null
  cache_creation?: { ephemeral_5m_input_tokens?: number; ephemeral_1h_input_tokens?: number } | null
  server_tool_use?: { web_search_requests?: number } | null
}

/** Returns the items of a usage that counts cached, reasoning and audio tokens within its sums, as OpenAI's does. */
export function openAiItems(usage: OpenAiUsage): UsageItem[] {
  const input = usage.prompt_tokens_details ?? usage.input_tokens_details ?? {}
  const output = usage.completion_tokens_details ?? usage.output_tokens_details ?? {}
  const [cached, inputAudio] = [input.cached_tokens ?? 0, input.audio_tokens ?? 0]
  const [reasoning, outputAudio] = [output.reasoning_tokens ?? 0, output.audio_tokens ?? 0]
  return used([
    ['input_tokens', (usage.prompt_tokens ?? usage.input_tokens ?? 0) - cached - inputAudio],
    ['cache_read_tokens', cached],
    ['input_audio_tokens', inputAudio],
    ['output_tokens', (usage.completion_tokens ?? usage.output_tokens ?? 0) - reasoning - outputAudio],
    ['reasoning_tokens', reasoning],
    ['output_audio_tokens', outputAudio],
  ])
}

/** Returns the items of a usage that counts cached tokens apart from its input, as Anthropic's does. */
export function anthropicItems(usage: AnthropicUsage): UsageItem[] {
  const written = usage.cache_creation_input_tokens ?? 0
  const hour = usage.cache_creation?.ephemeral_1h_input_tokens ?? 0
  return used([
    ['input_tokens', usage.input_tokens ?? 0],
    ['cache_read_tokens', usage.cache_read_input_tokens ?? 0],
    ['cache_write_tokens', usage.cache_creation?.ephemeral_5m_input_tokens ?? written - hour, { ttl: '5m' }],
    ['cache_write_tokens', hour, { ttl: '1h' }],
    ['output_tokens', usage.output_tokens ?? 0],
    ['web_searches', usage.server_tool_use?.web_search_requests ?? 0],
  ])
}

const used = (items: [dimension: string, quantity: number, tier?: Record<string, string>][]): UsageItem[] =>
  items
    .filter(([, quantity]) => quantity !== 0)
    .map(([dimension, quantity, tier]) => ({ dimension, quantity, ...(tier && { tier }) }))
