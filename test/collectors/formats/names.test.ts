import { describe, expect, it } from 'vitest'
import { genaiKey } from '../../../src/collectors/formats/genai-prices-keys.ts'
import { litellmKey } from '../../../src/collectors/formats/litellm-keys.ts'
import { canonicalOf } from '../../../src/collectors/reading/canonical-ids.ts'

describe('the maker of a resource', () => {
  it.each<[provider: string, resource: string, canonical: string | undefined]>([
    ['openrouter', '~anthropic/claude-x', 'anthropic/claude-x'],
    ['openrouter', 'x/~anthropic', undefined],
    ['cloudflare', '@cf/meta/llama-3', 'meta/llama-3'],
    ['fireworks', 'accounts/fireworks/models/deepseek-v3', 'deepseek/deepseek-v3'],
    ['aws', 'us-gov.anthropic.claude-x-v1:0', 'anthropic/claude-x'],
    ['aws', 'eu.meta.llama3-1:1', 'meta/llama3-1'],
    ['aws', 'mistral.x-v12:34', 'mistral/x'],
    ['aws', 'mistral.x-v1:0-y', 'mistral/x-v1:0-y'],
    ['aws', 'eu.own', undefined],
    ['aws', 'meta.3-eu.x', undefined],
    ['google', 'a/b/c', undefined],
    ['google', 'openai/', undefined],
    ['acme', 'x-openai/gpt', undefined],
    ['acme', 'Grok-4', 'x-ai/grok-4'],
    ['acme', 'meta/@cf/llama-3', undefined],
    ['acme', 'meta/accounts/fireworks/models/llama-3', undefined],
    ['acme', 'openai/gpt~5', 'openai/gpt~5'],
    ['acme', 'openai/us.gpt.5', 'openai/us.gpt.5'],
    ['acme', 'a/openai/gpt-5', undefined],
    ['acme', 'openai/gpt/5', undefined],
    ['acme', 'my-openai.gpt-5', undefined],
    ['acme', 'openai.gpt\n5', undefined],
    ['acme', 'meta.llama3:12', 'meta/llama3'],
    ['acme', 'GPT-5:online', 'openai/gpt-5'],
    ['acme', 'gpt-5:online-x', 'openai/gpt-5:online-x'],
    ['acme', 'deepseek-r1-distill-qwen', undefined],
    ['acme', 'o1', 'openai/o1'],
    ['acme', 'o1x', undefined],
    ['acme', 'command', 'cohere/command'],
    ['acme', 'commander', undefined],
    ['cohere', 'commander', 'cohere/commander'],
    ['anthropic', 'own.x', undefined],
    ['anthropic', 'own', 'anthropic/own'],
    ['anthropic', ':free', undefined],
    ['databricks', 'databricks-meta-llama-3-3-70b-instruct', 'meta/meta-llama-3-3-70b-instruct'],
    ['databricks', 'databricks-claude-3-7-sonnet', 'anthropic/claude-3-7-sonnet'],
    ['acme', 'databricks-claude-3-7-sonnet', undefined],
    ['synthetic', 'hf:meta-llama/Llama-3.3-70B-Instruct', 'meta/llama-3.3-70b-instruct'],
    ['fireworks', 'accounts/fireworks/models/llama-v3p3-70b-instruct', 'meta/llama-v3p3-70b-instruct'],
    ['google-vertex', 'meta/llama-3.3-70b-instruct-maas', 'meta/llama-3.3-70b-instruct'],
    ['google-vertex', 'mistral-small-2503@001', 'mistral/mistral-small-2503'],
    ['google-vertex', 'claude-3-5-sonnet@20240620', 'anthropic/claude-3-5-sonnet@20240620'],
    ['acme', 'deepseek-maas-1', 'deepseek/deepseek-maas-1'],
    ['acme', `claude-${'x'.repeat(283)}`, `anthropic/claude-${'x'.repeat(283)}`],
    ['acme', `claude-${'x'.repeat(284)}`, undefined],
  ])('of %s %s', (provider, resource, canonical) => {
    expect(canonicalOf(provider, resource)).toBe(canonical)
  })
})

describe('a key of the LiteLLM table', () => {
  it.each<[key: string, dimension: string, tier: object, decimalShift: number]>([
    ['output_cost_per_image_1024x1024', 'output_images', { resolution: '1024x1024' }, 0],
    ['output_cost_per_second_4K', 'per_second_out', { resolution: '4k' }, 0],
    ['output_cost_per_video_per_second_720p', 'output_video_seconds', { resolution: '720p' }, 0],
    ['output_cost_per_image_2.5', 'output_images', { resolution: '2.5' }, 0],
    ['output_cost_per_image_2.55', 'output_images', { resolution: '2.55' }, 0],
    ['input_cost_per_token_ultrafast', 'input_tokens', { service: 'ultrafast' }, 0],
    ['input_cost_per_token_batch', 'input_tokens', { service: 'batch' }, 0],
    ['input_cost_per_token_above_200k_tokens_priority', 'input_tokens', { context: '>200000', service: 'priority' }, 0],
    ['web_search_cost_per_1k_calls', 'web_searches', {}, 3],
    ['cache_creation_input_token_cost_above_24hr', 'cache_write_tokens', { ttl: '24h' }, 0],
  ])('%s', (key, dimension, tier, decimalShift) => {
    expect(litellmKey(key)).toEqual({ dimension, tier, decimalShift })
  })

  it.each([
    'input_cost_per_token_1024',
    'output_cost_per_image_px',
    'input_cost_per_token_above_k_tokens',
    'input_cost_per_token_above_1hr_',
    'input_cost_per_token_batch_x',
    'input_cost_flex_per_token',
    'output_cost_per_image_1024_token',
  ])('%s is unknown', (key) => {
    expect(litellmKey(key)).toBeUndefined()
  })
})

describe('a key of genai-prices', () => {
  it.each<[key: string, dimension: string, tier: object, decimalShift: number]>([
    ['input_text_mtok', 'input_text_tokens', {}, 6],
    ['output_citation_mtok', 'citation_tokens', {}, 6],
    ['cache_read_mtok', 'cache_read_tokens', {}, 6],
    ['cache_video_read_mtok', 'cache_read_video_tokens', {}, 6],
    ['cache_write_30m_mtok', 'cache_write_tokens', { ttl: '30m' }, 6],
    ['output_gpixels', 'output_pixels', {}, 9],
    ['rerank_searches_kcount', 'rerank_queries', {}, 3],
    ['audio_hours', 'audio_hours', {}, 0],
  ])('%s', (key, dimension, tier, decimalShift) => {
    expect(genaiKey(key)).toEqual({ dimension, tier, decimalShift })
  })

  it.each([
    'cache_mtok',
    'cache_reasoning_mtok',
    'input_reasoning_mtok',
    'output_read_mtok',
    'xinput_mtok',
    'input_mtokx',
  ])('%s is unknown', (key) => {
    expect(genaiKey(key)).toBeUndefined()
  })
})
