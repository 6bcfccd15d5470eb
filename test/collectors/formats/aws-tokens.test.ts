import { describe, expect, it } from 'vitest'
import { AwsProducts } from '../../../src/collectors/formats/aws/aws-products.ts'
import { tokensOf } from '../../../src/collectors/formats/aws/aws-tokens.ts'

const nova = (inferenceType: string, more: object = {}) => ({ model: 'Nova', inferenceType, ...more })
const sold = (usagetype: string, more: object = {}) => ({ model: 'Nova', usagetype, ...more })

describe('tokens of a model on AWS', () => {
  it.each<[attributes: Record<string, unknown>, dimension: string, tier: object]>([
    [nova('Input tokens'), 'input_tokens', {}],
    [nova('Output tokens (flex)'), 'output_tokens', { service: 'flex' }],
    [nova('Cache input tokens'), 'input_tokens', {}],
    [nova('Prompt cache read input tokens'), 'cache_read_tokens', {}],
    [nova('Cache write output tokens'), 'cache_write_tokens', {}],
    [sold('USE1-Nova-cache-write30m-input-tokens'), 'cache_write_tokens', { ttl: '30m' }],
    [sold('USE1-Nova-CacheWrite1hInputTokenCount'), 'cache_write_tokens', { ttl: '1h' }],
    [nova('Latency input tokens'), 'input_tokens', {}],
    [nova('Optimized input tokens'), 'input_tokens', {}],
    [nova('Latency optimized input tokens'), 'input_tokens', { service: 'latency_optimized' }],
    [nova('Latency optimized batch input tokens'), 'input_tokens', { service: 'batch' }],
    [nova('Input tokens cross region'), 'input_tokens', { offer: 'cross_region' }],
    [nova('Input tokens global'), 'input_tokens', { offer: 'cross_region_global' }],
    [nova('Input tokens geo long context'), 'input_tokens', { offer: 'cross_region_geo_long_context' }],
    [nova('Input tokens long'), 'input_tokens', { offer: 'long_context' }],
    [nova('Input images tokens'), 'input_tokens', { modality: 'image' }],
    [nova('Input speech tokens'), 'input_tokens', { modality: 'speech' }],
    [nova('Input tokens', { feature: 'Batch Inference' }), 'input_tokens', { service: 'batch' }],
    [nova('Input tokens', { serviceTier: 'Flex' }), 'input_tokens', { service: 'flex' }],
    [nova('Input tokens', { service_tier: 'Priority' }), 'input_tokens', { service: 'priority' }],
    [nova('Input tokens', { serviceTier: 'Flex', service_tier: 'Batch' }), 'input_tokens', { service: 'flex' }],
    [nova('Input tokens', { usagetype: 'USE1-input-tokens-priority' }), 'input_tokens', { service: 'priority' }],
    [sold('USE1-Nova-input-token-count-batch-Units'), 'input_tokens', { service: 'batch' }],
  ])('%j', (attributes, dimension, tier) => {
    expect(tokensOf(attributes, 'token')).toEqual({ resource: 'Nova', dimension, tier })
  })

  // Usage types as public programs quote them from the offer files of 2026: each difference is another price.
  it.each<[usagetype: string, more: object, dimension: string, tier: object]>([
    ['USE1-Nova2.0Lite-input-tokens', { feature: 'On-demand Inference' }, 'input_tokens', {}],
    ['USE1-Nova2.0Lite-input-tokens-cross-region-global', {}, 'input_tokens', { offer: 'cross_region_global' }],
    ['USE1-Nova2.0Lite-input-tokens-cross-region-global-batch', {}, 'input_tokens', { service: 'batch', offer: 'cross_region_global' }],
    ['USE1-Nova2.0Lite-output-tokens-flex-cross-region-global', { inferenceType: 'Output tokens flex' }, 'output_tokens', { service: 'flex', offer: 'cross_region_global' }],
    ['USE1-Nova2.0Pro-text-input-tokens-priority-cross-region-global', {}, 'input_tokens', { service: 'priority', offer: 'cross_region_global' }],
    ['USE1-Qwen3-32B-input-tokens-batch', { inferenceType: 'Input tokens', feature: 'Batch Inference' }, 'input_tokens', { service: 'batch' }],
    ['USE1-qwen.qwen3-32b-mantle-output-tokens-batch', { inferenceType: 'output tokens batch', service_tier: 'batch' }, 'output_tokens', { service: 'batch' }],
    ['USE1-qwen.qwen3-32b-mantle-input-tokens-standard', { inferenceType: 'Input tokens', service_tier: 'standard' }, 'input_tokens', {}],
    ['USE1-xai.grok-4.3-mantle-cache-read-tokens-standard', { service_tier: 'standard' }, 'cache_read_tokens', {}],
    ['USE1-NovaPro-input-tokens-latency-optimized', {}, 'input_tokens', { service: 'latency_optimized' }],
    ['USE1-Claude4.6Sonnet-cache-read-input-token-count-cross-region-global', {}, 'cache_read_tokens', { offer: 'cross_region_global' }],
    ['USE1-Claude4Sonnet-output-tokens-long-context-cross-region-global', {}, 'output_tokens', { offer: 'cross_region_global_long_context' }],
    ['USE1-MP:USE1_InputTokenCount-Units', {}, 'input_tokens', {}],
    ['USE1-MP:USE1_InputTokenCount_Global-Units', {}, 'input_tokens', { offer: 'cross_region_global' }],
    ['USE1-MP:USE1_InputTokenCount_Global_Batch-Units', {}, 'input_tokens', { service: 'batch', offer: 'cross_region_global' }],
    ['APN1-MP:APN1_MillionBatchInputTokens-Units', {}, 'input_tokens', { service: 'batch' }],
    ['USE1-MP:USE1_MillionBatchOutputTokens-Units', {}, 'output_tokens', { service: 'batch' }],
    ['USE1-MP:USE1_CacheWrite1hInputTokenCount_Global-Units', {}, 'cache_write_tokens', { ttl: '1h', offer: 'cross_region_global' }],
    ['USE1-MP:USE1_input_tokens_standard-Units', {}, 'input_tokens', {}],
    ['USE1-MP:USE1_output_tokens_batch-Units', {}, 'output_tokens', { service: 'batch' }],
    ['USE1-MP:USE1_input_tokens_long_ctx_global_standard-Units', {}, 'input_tokens', { offer: 'cross_region_global_long_context' }],
    ['USE1-MP:USE1_InputTokenCount_LCtx-Units', {}, 'input_tokens', { offer: 'long_context' }],
    ['USE1-MP:USE1_cache_write_tokens_1h_global_standard-Units', {}, 'cache_write_tokens', { ttl: '1h', offer: 'cross_region_global' }],
  ])('%s %j', (usagetype, more, dimension, tier) => {
    // Where the usage type has the name of the API, that is the name.
    const resource = /-(\S+)-mantle-/.exec(usagetype)?.[1] ?? 'Nova'
    expect(tokensOf(sold(usagetype, more), 'token')).toEqual({ resource, dimension, tier })
  }) // biome-ignore format: as recorded

  it.each([
    ['USE1-NovaLite-input-tokens-custom-model', { inferenceType: 'Input tokens', feature: 'Model Customization' }],
    ['USE1-NovaLite-input-tokens-custom-model', { inferenceType: 'Input tokens' }],
    ['USE1-NovaSonic-speech-understanding-input-token', { inferenceType: 'Speech Understanding input token' }],
    ['USE1-MP:USE1_Reserved_1Month_InputTPM_Geo-Units', {}],
    ['USE1-MP:USE1_search_units-Units', {}],
    ['USE1-MP:USE1_InputImageCount-Units', {}],
    ['USE1-MP:USE1_ProvisionedThroughput_1MonthCommit_ModelUnits_Usage-Units', {}],
    ['USE1-Guardrail-AutomatedReasoningPolicyUnitsConsumed', {}],
  ])('%s %j is not a price of tokens that anyone may buy', (usagetype, more) => {
    expect(tokensOf(sold(usagetype, more), 'token')).toBeUndefined()
  })

  it('are counted by the token, or as a count', () => {
    const units = ['token', 'count', 'image', 'hour', 'million_tokens', '']
    expect(units.map((unit) => tokensOf(nova('Output tokens'), unit)?.dimension)).toEqual([
      'output_tokens',
      'output_tokens',
      undefined,
      undefined,
      undefined,
      undefined,
    ])
  })

  it.each<[attributes: Record<string, unknown>, resource: string]>([
    [{ model: 'A', titanModel: 'B', usagetype: 'output-tokens' }, 'A'],
    [{ titanModel: 'B', servicename: 'C (Amazon Bedrock Edition)', usagetype: 'output-tokens' }, 'B'],
    [{ servicename: 'C 2 (Amazon Bedrock Edition)', usagetype: 'output-tokens' }, 'C 2'],
    [{ servicename: 'C (Amazon Bedrock Edition)', usagetype: 'USE1-kimi-k2-mantle-output-tokens' }, 'kimi-k2'],
  ])('%j are of %s', (attributes, resource) => {
    expect(tokensOf(attributes, 'token')).toEqual({ resource, dimension: 'output_tokens', tier: {} })
  })

  it.each<[what: string, attributes: Record<string, unknown>]>([
    ['no model', { inferenceType: 'Input tokens' }],
    ['no model but another service', { servicename: 'C (Amazon Bedrock Edition) 2', usagetype: 'input-tokens' }],
    ['no model where it is not behind the region', { usagetype: 'my-USE1-kimi-mantle-input-tokens' }],
    ['no direction', nova('Tokens')],
    ['no tokens', nova('Input text')],
    ['nothing said', sold('USE1-Nova')],
    ['an unknown word', nova('Input tokens moon')],
    ['no duration', nova('Input tokens 30')],
    ['a model that was adapted', nova('Input tokens', { feature: 'Model Customization' })],
    ['a model that was trained', nova('Input tokens', { usagetype: 'USE1-Training-x' })],
    ['prompts that are made better', sold('OptimizePrompt-input-tokens')],
  ])('are not what has %s', (_what, attributes) => {
    expect(tokensOf(attributes, 'token')).toBeUndefined()
  })
})

describe('the products of an AWS offer file', () => {
  it('are all kept, however many there are, and the last of those with one sku', () => {
    const products = new AwsProducts()
    for (let n = 0; n < 2_100; n++)
      products.add(`S${n}`, { productFamily: 'Storage', attributes: { model: `m${n}`, tenancy: n % 2 ? 'Shared' : 7 } })
    products.add('S7', { attributes: { model: 'other' } })
    products.add('S8', { productFamily: 'Compute' })
    products.add('S9', 'none')
    const kept = (n: number) => products.get(`S${n}`)
    const product = (n: number) => ({ productFamily: 'Storage', attributes: { model: `m${n}` } })
    expect([0, 8, 1_022, 1_024, 2_048].map(kept)).toEqual([0, 8, 1_022, 1_024, 2_048].map(product))
    expect([9, 1_023, 1_025, 2_099].map(kept)).toEqual(
      [9, 1_023, 1_025, 2_099].map((n) => ({
        productFamily: 'Storage',
        attributes: { model: `m${n}`, tenancy: 'Shared' },
      })),
    )
    expect(kept(7)).toEqual({ attributes: { model: 'other' } })
    expect(kept(2_100)).toBeUndefined()
  })
})
