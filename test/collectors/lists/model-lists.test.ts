import { describe, expect, it } from 'vitest'
import { SnapshotError } from '../../../src/collectors/index.ts'
import { ignored, lines, parseAs } from '../support.ts'

describe('the OpenRouter list of models', () => {
  const parse = parseAs('openrouter')
  const model = (id: string, pricing: object) => ({ id, canonical_slug: id, name: id, context_length: 8192, pricing })

  it('gives exact prices from decimal texts, with the maker as canonical id', () => {
    const read = parse({
      data: [
        model('anthropic/claude-sonnet-4.5', {
          prompt: '0.000003', completion: '0.000015', input_cache_read: '0.0000003', web_search: '0.01',
          image: '0.0048', internal_reasoning: '0', audio: '1e-6', request: '0',
        }),
        model('acme/unheard-of:free', { prompt: '0', completion: '0' }),
      ],
    }) // biome-ignore format: one thing after another
    expect(lines(read)).toEqual([
      'anthropic/claude-sonnet-4.5 input_tokens usd_per_token {} 0.000003',
      'anthropic/claude-sonnet-4.5 output_tokens usd_per_token {} 0.000015',
      'anthropic/claude-sonnet-4.5 cache_read_tokens usd_per_token {} 0.0000003',
      'anthropic/claude-sonnet-4.5 web_searches usd_per_search {} 0.01',
      'anthropic/claude-sonnet-4.5 input_images usd_per_image {} 0.0048',
      'anthropic/claude-sonnet-4.5 input_audio_tokens usd_per_token {} 0.000001',
      'acme/unheard-of:free input_tokens usd_per_token {} 0',
      'acme/unheard-of:free output_tokens usd_per_token {} 0',
    ])
    expect(read.observations[0]?.canonicalResource).toBe('anthropic/claude-sonnet-4-5')
    expect(read.observations.at(-1)?.canonicalResource).toBeUndefined()
    expect(ignored(read)).toEqual({ 'a zero that says nothing is charged apart': 2 })
  })

  it('takes the price of an image that equals that of a token for the price of an image token', () => {
    const read = parse({
      data: [model('google/gemini', { prompt: '0.0000003', completion: '0.000001', image: '3e-7' })],
    })
    expect(lines(read)).toEqual([
      'google/gemini input_tokens usd_per_token {} 0.0000003',
      'google/gemini output_tokens usd_per_token {} 0.000001',
      'google/gemini input_image_tokens usd_per_token {} 0.0000003',
    ])
  })

  it('takes a negative price for the mark of a dynamic one, never for a price', () => {
    const read = parse({
      data: [model('openrouter/auto', { prompt: '-1', completion: '-1' }), model('a/b', { prompt: '1e-7' })],
    })
    expect(lines(read)).toEqual(['a/b input_tokens usd_per_token {} 0.0000001'])
    expect(ignored(read)).toEqual({ 'a negative price: the source’s mark for a dynamic one': 2 })
  })

  it('counts models without prices and keys it does not know', () => {
    const read = parse({
      data: [model('a/b', { prompt: '1', completion: '1', discount: 0.5, telepathy: '2' }), { id: 'c/d' }],
    })
    expect(ignored(read)).toEqual({
      'an unknown kind of price: discount': 1,
      'an unknown kind of price: telepathy': 1,
      'a model without an id or without prices': 1,
    })
  })

  it('reads the prices of long requests and of times of day as tiers', () => {
    const read = parse({
      data: [
        model('anthropic/claude-x', {
          prompt: '0.000003', completion: '0.000015', input_cache_write: '0.00000375', input_cache_write_1h: '0.000006',
          overrides: [{ min_prompt_tokens: 200000, prompt: '0.000006', completion: '0.0000225' }],
        }),
        model('acme/night', {
          prompt: '0.000001', completion: '0.000002',
          overrides: [
            { utc_start: 0, utc_end: 1630, prompt: '0.000002', completion: '0.000002' },
            { utc_start: 1630, utc_end: 0, prompt: '0.000001', completion: '0.000002' },
          ],
        }),
        model('acme/days', {
          prompt: '0.000001', completion: '0.000002', input_cache_read: '0.0000001',
          overrides: [
            { utc_days: ['monday', 'tuesday', 'wednesday'], utc_start: 100, utc_end: 400, prompt: '0.000004', completion: '0.000008' },
            { utc_days: ['sunday'], prompt: '0.000003', completion: '0.000006' },
          ],
        }),
      ],
    }) // biome-ignore format: one thing after another
    expect(lines(read).map((line) => line.replace(' usd_per_token', ''))).toEqual([
      'anthropic/claude-x input_tokens {} 0.000003',
      'anthropic/claude-x output_tokens {} 0.000015',
      'anthropic/claude-x cache_write_tokens {} 0.00000375',
      'anthropic/claude-x cache_write_tokens {"ttl":"1h"} 0.000006',
      'anthropic/claude-x input_tokens {"context":">200000"} 0.000006',
      'anthropic/claude-x output_tokens {"context":">200000"} 0.0000225',
      'acme/night input_tokens {"timeOfDay":"00:00Z-16:30Z"} 0.000002',
      'acme/night output_tokens {"timeOfDay":"00:00Z-16:30Z"} 0.000002',
      'acme/night input_tokens {"timeOfDay":"16:30Z-24:00Z"} 0.000001',
      'acme/night output_tokens {"timeOfDay":"16:30Z-24:00Z"} 0.000002',
      'acme/days cache_read_tokens {} 0.0000001',
      'acme/days input_tokens {"timeOfDay":"Mo-We 01:00Z-04:00Z"} 0.000004',
      'acme/days output_tokens {"timeOfDay":"Mo-We 01:00Z-04:00Z"} 0.000008',
      'acme/days input_tokens {"timeOfDay":"Su 00:00Z-24:00Z"} 0.000003',
      'acme/days output_tokens {"timeOfDay":"Su 00:00Z-24:00Z"} 0.000006',
    ])
  })

  it('says the same at every hour: the price of the hour above the times of day is not read', () => {
    const at = (prompt: string) => ({
      data: [
        model('acme/night', {
          prompt, completion: '0.000002',
          overrides: [{ utc_start: 0, utc_end: 1200, prompt: '0.000002' }, { utc_start: 1200, utc_end: 0, prompt: '0.000001' }],
        }),
      ],
    }) // biome-ignore format: one thing after another
    expect(lines(parse(at('0.000001')))).toEqual(lines(parse(at('0.000002'))))
    expect(ignored(parse(at('0.000001')))).toEqual({ 'a price of the hour, beside those by the time of day': 1 })
  })

  it.each([
    { region: 'eu', prompt: '0.000002' },
    { min_prompt_tokens: 0, prompt: '0.000002' },
    { min_prompt_tokens: '200000', prompt: '0.000002' },
    { prompt: '0.000002' },
    { min_prompt_tokens: 1000, discount: 0.5, prompt: '0.000002' },
    { utc_start: 100, prompt: '0.000002' },
    { utc_start: 160, utc_end: 200, prompt: '0.000002' },
    { utc_start: 100.5, utc_end: 200, prompt: '0.000002' },
    { utc_start: 100, utc_end: 2400, prompt: '0.000002' },
    { utc_start: '0100', utc_end: 200, prompt: '0.000002' },
    { utc_start: 300, utc_end: 300, prompt: '0.000002' },
    { utc_days: 'monday', prompt: '0.000002' },
    { utc_days: ['holiday'], prompt: '0.000002' },
    { utc_days: ['monday'], utc_start: 2200, utc_end: 400, prompt: '0.000002' },
  ])('guesses nothing about a price under the condition %j', (override) => {
    const plain = model('a/b', { prompt: '0.000001', completion: '0.000001' })
    const read = parse({
      data: [plain, model('c/d', { prompt: '0.000003', completion: '0.000003', overrides: [override] })],
    })
    expect(lines(read).filter((line) => line.includes('0.000002'))).toEqual([])
    expect(ignored(read)).toMatchObject({ 'prices under an unknown condition': 1 })
  })

  it.each([
    [{ models: [] }],
    [{ data: [] }],
    [{ data: {} }],
    ['<html>'],
    ['{"data":[{"id":"a"'],
    [{ data: [model('a/b', {})] }],
  ])('refuses %j', (data) => expect(() => parse(data)).toThrow(SnapshotError))
})

describe('the models.dev catalogue', () => {
  const parse = parseAs('models-dev')
  const catalogue = (id: string, models: object) => ({ [id]: { id, name: id, env: [], models } })

  it('gives prices per one token under our slug of the provider, with context tiers', () => {
    const cost = {
      input: 2, output: 12, cache_read: 0.2, input_audio: 1,
      tiers: [{ input: 4, output: 18, tier: { type: 'context', size: 200000 } }],
      context_over_200k: { input: 9 },
    } // biome-ignore format: one thing after another
    const read = parse(catalogue('amazon-bedrock', { 'google.gemini-x': { id: 'google.gemini-x', cost } }))
    expect(read.providers).toEqual([{ provider: 'aws', name: 'amazon-bedrock' }])
    expect(lines(read)).toEqual([
      'google.gemini-x input_tokens usd_per_token {} 0.000002',
      'google.gemini-x output_tokens usd_per_token {} 0.000012',
      'google.gemini-x cache_read_tokens usd_per_token {} 0.0000002',
      'google.gemini-x input_audio_tokens usd_per_token {} 0.000001',
      'google.gemini-x input_tokens usd_per_token {"context":">200000"} 0.000004',
      'google.gemini-x output_tokens usd_per_token {"context":">200000"} 0.000018',
    ])
  })

  it('takes a cache price of zero for unknown, keeps a free model free, and takes other zeros for none', () => {
    const read = parse(
      catalogue('x', {
        free: { cost: { input: 0, output: 0, cache_read: 0 } },
        plan: { cost: { input: 0, output: 0 } },
        unpriced: {},
        legacy: { cost: { input: 1, context_over_200k: { input: 2 } } },
        odd: { cost: { input: 'free', tiers: [{ input: 1 }] } },
      }),
    )
    expect(lines(read)).toEqual([
      'free input_tokens usd_per_token {} 0',
      'free output_tokens usd_per_token {} 0',
      'legacy input_tokens usd_per_token {} 0.000001',
    ])
    expect(ignored(read)).toEqual({
      'a zero that means unknown': 3,
      'a model without a price': 1,
      'context_over_200k, which its list calls legacy and often wrong': 1,
      'a price that is not a number': 1,
      'a tier of an unknown kind': 1,
    })
  })

  it.each([[[]], [{}], [{ x: { id: 'x' } }], ['not json']])('refuses %j', (data) =>
    expect(() => parse(data)).toThrow(SnapshotError),
  )
})

describe('the LiteLLM table', () => {
  const parse = parseAs('litellm')
  const entry = (more: object) => ({
    litellm_provider: 'openai',
    mode: 'chat',
    max_tokens: 8192,
    supports_vision: true,
    ...more,
  })

  it('reads the tier out of the key', () => {
    const read = parse({
      sample_spec: { input_cost_per_token: 0 },
      'gpt-x': entry({
        input_cost_per_token: 2.5e-6,
        input_cost_per_token_batches: 1.25e-6,
        input_cost_per_token_above_272k_tokens: 5e-6,
        input_cost_per_token_above_272k_tokens_flex: 2.5e-6,
        output_cost_per_reasoning_token: 3.81469e-8,
        cache_creation_input_token_cost_above_1hr: 6e-6,
        cache_creation_input_token_cost_above_1hr_above_200k_tokens: 1.2e-5,
        cache_read_input_token_cost_priority: 5e-7,
        output_cost_per_audio_token: 8e-5,
        search_context_cost_per_query: { search_context_size_low: 0.025, search_context_size_high: 0.05 },
        code_interpreter_cost_per_session: 0.03,
        file_search_cost_per_1k_calls: 2.5,
      }),
    })
    expect(lines(read)).toEqual([
      'gpt-x input_tokens usd_per_token {} 0.0000025',
      'gpt-x input_tokens usd_per_token {"service":"batch"} 0.00000125',
      'gpt-x input_tokens usd_per_token {"context":">272000"} 0.000005',
      'gpt-x input_tokens usd_per_token {"service":"flex","context":">272000"} 0.0000025',
      'gpt-x reasoning_tokens usd_per_token {} 0.0000000381469',
      'gpt-x cache_write_tokens usd_per_token {"ttl":"1h"} 0.000006',
      'gpt-x cache_write_tokens usd_per_token {"context":">200000","ttl":"1h"} 0.000012',
      'gpt-x cache_read_tokens usd_per_token {"service":"priority"} 0.0000005',
      'gpt-x output_audio_tokens usd_per_token {} 0.00008',
      'gpt-x web_searches usd_per_search {"quality":"low"} 0.025',
      'gpt-x web_searches usd_per_search {"quality":"high"} 0.05',
      'gpt-x tool_sessions usd_per_session {} 0.03',
      'gpt-x storage_searches usd_per_search {} 0.0025',
    ])
    expect(read.observations[0]).toMatchObject({ canonicalResource: 'openai/gpt-x' })
    expect(read.ignored).toEqual([])
  })

  it('reads regions, sizes and qualities before a name as tiers: one model has one name', () => {
    const priced = (litellm_provider: string) => ({ litellm_provider, input_cost_per_token: 1e-6 })
    const image = (litellm_provider: string) => ({
      litellm_provider,
      mode: 'image_generation',
      output_cost_per_image: 0.04,
    })
    const read = parse({
      'bedrock/us-gov-west-1/amazon.nova-pro-v1:0': priced('bedrock'),
      'bedrock/invoke/anthropic.claude-3': priced('bedrock_converse'),
      'azure/global-standard/gpt-4o': priced('azure'),
      'azure/eu/gpt-4o': priced('azure'),
      'hd/1024-x-1792/dall-e-3': image('openai'),
      '1024-x-1024/50-steps/bedrock/amazon.nova-canvas-v1:0': image('bedrock'),
      'openrouter/openai/gpt-4o': priced('openrouter'),
      'deepinfra/high/x': priced('deepinfra'),
    })
    expect(lines(read)).toEqual([
      'amazon.nova-pro-v1:0 input_tokens usd_per_token {"region":"us-gov-west-1"} 0.000001',
      'anthropic.claude-3 input_tokens usd_per_token {} 0.000001',
      'gpt-4o input_tokens usd_per_token {"region":"global"} 0.000001',
      'gpt-4o input_tokens usd_per_token {"region":"eu"} 0.000001',
      'dall-e-3 output_images usd_per_image {"quality":"hd","resolution":"1024x1792"} 0.04',
      'amazon.nova-canvas-v1:0 output_images usd_per_image {"resolution":"1024x1024","quality":"50-steps"} 0.04',
      'openai/gpt-4o input_tokens usd_per_token {} 0.000001',
      'high/x input_tokens usd_per_token {} 0.000001',
    ])
  })

  it('leaves out models whose end has come, and zeros of models that do not say that they are free', () => {
    const read = parse({
      old: entry({ input_cost_per_token: 1e-6, deprecation_date: '2026-11-21' }),
      going: entry({ input_cost_per_token: 1e-6, deprecation_date: '2026-11-22' }),
      odd: entry({ input_cost_per_token: 1e-6, deprecation_date: 'soon' }),
      plan: entry({ input_cost_per_token: 0, output_cost_per_token: 0 }),
      'plan:free': entry({ input_cost_per_token: 0, output_cost_per_token: 0 }),
      half: entry({ input_cost_per_token: 0, output_cost_per_token: 1e-6 }),
    })
    expect(lines(read)).toEqual([
      'going input_tokens usd_per_token {} 0.000001',
      'odd input_tokens usd_per_token {} 0.000001',
      'plan:free input_tokens usd_per_token {} 0',
      'plan:free output_tokens usd_per_token {} 0',
      'half input_tokens usd_per_token {} 0',
      'half output_tokens usd_per_token {} 0.000001',
    ])
    expect(ignored(read)).toEqual({
      'a model whose end has come, as the list says': 1,
      'a zero that means there is none': 2,
    })
  })

  it('leaves its own sorting of models out: that a list sorts a model elsewhere is not a change of a price', () => {
    const sorted = (mode: string) => parse({ 'gpt-x': entry({ mode, input_cost_per_token: 1e-6 }) }).observations
    expect(sorted('chat')).toEqual(sorted('responses'))
  })

  it('knows what a second is of by what the model does, and steps of tiered_pricing by their range', () => {
    const read = parse({
      'gemini/veo-9': { litellm_provider: 'gemini', mode: 'video_generation', output_cost_per_second: 0.35, output_cost_per_second_1080p: 0.5 },
      'whisper-x': { litellm_provider: 'openai', mode: 'audio_transcription', input_cost_per_second: 0.0001, output_cost_per_second: 0 },
      'bedrock/odd': { litellm_provider: 'bedrock', mode: 'chat', input_cost_per_second: 0.01 },
      'dashscope/qwen-x': {
        litellm_provider: 'dashscope',
        mode: 'chat',
        tiered_pricing: [
          { range: [0, 256000], input_cost_per_token: 5e-8 },
          { range: [256000, 1000000], input_cost_per_token: 2.5e-7, output_cost_per_token: 2e-6 },
        ],
      },
    }) // biome-ignore format: one thing after another
    expect(lines(read)).toEqual([
      'veo-9 output_video_seconds usd_per_second {} 0.35',
      'veo-9 output_video_seconds usd_per_second {"resolution":"1080p"} 0.5',
      'whisper-x input_audio_seconds usd_per_second {} 0.0001',
      'qwen-x input_tokens usd_per_token {} 0.00000005',
      'qwen-x input_tokens usd_per_token {"context":">256000"} 0.00000025',
      'qwen-x output_tokens usd_per_token {"context":">256000"} 0.000002',
    ])
    expect(read.observations.at(-1)).toMatchObject({ provider: 'alibaba' })
    expect(ignored(read)).toEqual({
      'a zero that means there is none': 1,
      'a price per second of a chat, which could be of anything': 1,
    })
  })

  it('takes the output of an embedding at zero for none, and counts what it does not know', () => {
    const read = parse({
      'embed-x': entry({ mode: 'embedding', input_cost_per_token: 1e-7, output_cost_per_token: 0 }),
      dbrx: entry({ litellm_provider: 'databricks', input_dbu_cost_per_token: 1e-5, aura_cost_per_glance: 3 }),
      lost: { mode: 'chat' },
    })
    expect(lines(read)).toEqual(['embed-x input_tokens usd_per_token {} 0.0000001'])
    expect(ignored(read)).toEqual({
      'a zero that means there is none': 1,
      'a price in Databricks units beside the one in dollars': 1,
      'an unknown kind of price: aura_cost_per_glance': 1,
      'an entry without a provider': 1,
    })
  })

  it.each([[{ a: 1 }], [[]], [''], ['{"gpt": {"litellm_provider": "openai", "input_cost_per_token": Infinity}}']])(
    'refuses %j',
    (data) => expect(() => parse(data)).toThrow(SnapshotError),
  )
})
