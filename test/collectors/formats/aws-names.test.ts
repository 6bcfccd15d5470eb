import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { readSources } from '../../../src/collectors/sources-file.ts'
import { parseInstant } from '../../../src/lib/instant.ts'
import { ignored, lines } from '../support.ts'

const at = parseInstant('2026-11-24T00:00:00Z')!
const bedrock = readSources().all.find(({ source }) => source === 'aws-bedrock-models')!
const frankfurt = readSources().all.find(({ source }) => source === 'aws-bedrock-models-frankfurt')!

type Product = [attributes: object, unit: string, price: string]
function read(products: Product[], source = bedrock, region = 'us-east-1') {
  const offer = {
    products: Object.fromEntries(products.map(([attributes], n) => [`S${n}`, { attributes: { regionCode: region, ...attributes } }])),
    terms: {
      OnDemand: Object.fromEntries(products.map(([, unit, USD], n) => [`S${n}`, { T: { priceDimensions: { R: { unit, pricePerUnit: { USD } } } } }])),
    },
  } // biome-ignore format: one thing after another
  return collectorFor('aws')!.parse(Buffer.from(JSON.stringify(offer)), { source, at })
}
const market = (servicename: string, meter: string, price: string): Product => [
  { servicename: `${servicename} (Amazon Bedrock Edition)`, usagetype: `USE1-MP:USE1_${meter}-Units` }, '1M tokens', price,
] // biome-ignore format: one thing after another
const own = (model: string, usagetype: string, inferenceType: string, price: string): Product => [
  { servicename: 'Amazon Bedrock', model, usagetype, inferenceType, feature: 'On-demand Inference' }, '1K tokens', price,
] // biome-ignore format: one thing after another

/** Meters with their prices as tests of public programs quote the offer files of May, July and October 2026. */
describe('models in the offer files of Bedrock', () => {
  it('have the name of the API, with the profile or the whole world that their price is for, and no region', () => {
    const answer = read([
      market('Claude Haiku 4.5', 'InputTokenCount', '1.10'),
      market('Claude Haiku 4.5', 'OutputTokenCount', '5.50'),
      market('Claude Haiku 4.5', 'InputTokenCount_Global', '1.00'),
      market('Claude Haiku 4.5', 'OutputTokenCount_Global', '5.00'),
      market('Claude Sonnet 4.6', 'InputTokenCount_Global_Batch', '1.5'),
      market('Claude Sonnet 4.6', 'CacheWrite1hInputTokenCount_Global', '6.0'),
      market('Claude Sonnet 4.6', 'CacheReadInputTokenCount', '0.33'),
    ])
    const [us, world] = ['us', 'global'].map((route) => `${route}.anthropic.claude-haiku-4-5-20251001-v1:0`)
    expect(lines(answer)).toEqual([
      `${us} input_tokens usd_per_token {} 0.0000011`,
      `${us} output_tokens usd_per_token {} 0.0000055`,
      `${world} input_tokens usd_per_token {} 0.000001`,
      `${world} output_tokens usd_per_token {} 0.000005`,
      'global.anthropic.claude-sonnet-4-6 input_tokens usd_per_token {"service":"batch"} 0.0000015',
      'global.anthropic.claude-sonnet-4-6 cache_write_tokens usd_per_token {"ttl":"1h"} 0.000006',
      'us.anthropic.claude-sonnet-4-6 cache_read_tokens usd_per_token {} 0.00000033',
    ])
    expect(answer.observations[0]?.canonicalResource).toBe('anthropic/claude-haiku-4-5-20251001')
  })

  it('are those of the region without one where lists mean it, and of their region elsewhere', () => {
    const products = [
      own('Nova Pro', 'USE1-NovaPro-input-tokens', 'Input tokens', '0.0008'),
      own('Nova Pro', 'USE1-NovaPro-input-tokens-priority', 'Input tokens priority', '0.0014'),
      own('Llama 3.3 70B', 'USE1-Llama3-3-70B-output-tokens', 'Output tokens', '0.00072'),
      own('DeepSeek v3.2', 'USE1-deepseek.v3.2-mantle-input-tokens-standard', 'Input tokens', '0.00062'),
    ]
    expect(lines(read(products))).toEqual([
      'amazon.nova-pro-v1:0 input_tokens usd_per_token {} 0.0000008',
      'amazon.nova-pro-v1:0 input_tokens usd_per_token {"service":"priority"} 0.0000014',
      'meta.llama3-3-70b-instruct-v1:0 output_tokens usd_per_token {} 0.00000072',
      'deepseek.v3.2 input_tokens usd_per_token {} 0.00000062',
    ])
    const [first] = lines(read(products, frankfurt, 'eu-central-1'))
    expect(first).toBe('amazon.nova-pro-v1:0 input_tokens usd_per_token {"region":"eu-central-1"} 0.0000008')
    const europe = read([market('Claude Haiku 4.5', 'InputTokenCount', '1.10')], frankfurt, 'eu-central-1')
    expect(lines(europe)).toEqual([
      'eu.anthropic.claude-haiku-4-5-20251001-v1:0 input_tokens usd_per_token {} 0.0000011',
    ])
  })

  it('are left out where the API’s name is not known, or another thing is priced', () => {
    const answer = read([
      own('Nova Pro', 'USE1-NovaPro-input-tokens', 'Input tokens', '0.0008'),
      own('Nova Pro Latency Optimized', 'USE1-NovaPro-input-tokens', 'Input tokens', '0.0012'),
      own('Nova Micro', 'USE1-NovaMicro-input-tokens-custom-model', 'Input tokens', '1'),
      own('Nova Pro', 'USE1-NovaPro-input-tokens-cross-region', 'Input tokens', '9'),
      [{ usagetype: 'USE1-MP:USE1_Created_image-Units' }, 'image', '0.09'],
    ])
    expect(lines(answer)).toEqual(['amazon.nova-pro-v1:0 input_tokens usd_per_token {} 0.0000008'])
    expect(ignored(answer)).toEqual({
      'a model whose name in the API is not known: Nova Pro Latency Optimized': 1,
      'not a price of tokens': 2,
      'a route across regions that is not known': 1,
    })
  })

  it('keep the names of the offer file where no table is declared', () => {
    const plain = sourceDeclaration.parse({ source: 'plain', format: 'aws' })
    const [line] = lines(read([own('Nova Pro', 'USE1-NovaPro-input-tokens', 'Input tokens', '0.0008')], { ...plain, kind: 'prices' }))
    expect(line).toBe('Nova Pro input_tokens usd_per_token {"region":"us-east-1"} 0.0000008')
  }) // biome-ignore format: one thing after another
})

it('machines of other families than those declared are known and left out', () => {
  const source = { ...sourceDeclaration.parse({ source: 'ec2', format: 'aws', options: { families: ['p'] } }), kind: 'prices' as const }
  const machine = (instanceType?: string): Product => [{ ...(instanceType && { instanceType }), usagetype: 'x' }, 'Hrs', '1']
  const answer = read([machine('p5.48xlarge'), machine('m5.large'), machine()], source)
  expect(lines(answer)).toEqual(['p5.48xlarge instance_hours usd_per_instance_hour {"region":"us-east-1"} 1'])
  expect(ignored(answer)).toEqual({ 'a product of a family that is not declared': 2 })
}) // biome-ignore format: one thing after another
