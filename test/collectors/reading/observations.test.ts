import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DIMENSIONS, unit as unitSchema } from '../../../src/catalog/schema.ts'
import { SnapshotError } from '../../../src/collectors/collector.ts'
import { genaiKey } from '../../../src/collectors/formats/genai-prices-keys.ts'
import { litellmKey } from '../../../src/collectors/formats/litellm-keys.ts'
import { canonicalOf } from '../../../src/collectors/reading/canonical-ids.ts'
import { readJson } from '../../../src/collectors/reading/json.ts'
import { startObservations } from '../../../src/collectors/reading/observations.ts'
import { unitOf } from '../../../src/collectors/reading/units.ts'
import { price as priceSchema } from '../../../src/prices/schema.ts'

const item = { provider: 'p', resource: 'r', dimension: 'input_tokens', locator: '/0' } as const

describe('reading prices', () => {
  it('reads any number a source can write as the exact decimal, per one', () => {
    const written = fc.tuple(fc.nat(1e12), fc.integer({ min: -20, max: 6 }), fc.integer({ min: 0, max: 9 }))
    fc.assert(
      fc.property(written, ([digits, exponent, decimalShift]) => {
        const observed = startObservations()
        observed.price({ ...item, amount: `${digits}e${exponent}`, decimalShift })
        const price = observed.done().observations[0]!.price
        expect(priceSchema.parse(price)).toBe(price)
        const [whole = '', fraction = ''] = price.split('.')
        const scaled = BigInt(whole + fraction.padEnd(40, '0'))
        expect(scaled).toBe(BigInt(digits) * 10n ** BigInt(40 + exponent - decimalShift))
      }),
    )
  })

  it('reads a float by its shortest text', () => {
    for (const [float, text] of [[1e-7, '0.0000001'], [3.81469e-8, '0.0000000381469'], [0.1, '0.1'], [2.5, '2.5']] as const) {
      const observed = startObservations()
      observed.price({ ...item, amount: float })
      expect(observed.done().observations[0]?.price).toBe(text)
    } // biome-ignore format: pairs
  })

  it('leaves out what a sum of floats left behind, and spaces around a name', () => {
    for (const [float, text] of [[0.1 + 0.2, '0.3'], [0.06 + 1e-17, '0.06'], [1.7999999999999998, '1.8'], [0.08333333333333334, '0.08333333333333334']] as const) {
      const observed = startObservations()
      observed.price({ ...item, resource: ' r ', amount: float })
      expect(observed.done().observations[0]).toMatchObject({ resource: 'r', price: text })
    } // biome-ignore format: pairs
  })

  it('takes nothing that is not a price, whatever it is, and counts it', () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), fc.string(), fc.double()), (amount) => {
        const observed = startObservations()
        observed.price({ ...item, amount: 1 })
        observed.price({ ...item, resource: 'other', amount })
        const { observations, ignored } = observed.done()
        expect(observations.length + ignored.reduce((sum, { count }) => sum + count, 0)).toBe(2)
        for (const { price } of observations) expect(priceSchema.safeParse(price).success).toBe(true)
      }),
    )
  })

  it('takes no number with more digits than money has', () => {
    const observed = startObservations()
    for (const amount of [1, 1e100, '1e-100', 1e300, `0.${'1'.repeat(101)}`])
      observed.price({ ...item, resource: String(amount), amount, decimalShift: 6 })
    expect(observed.done()).toMatchObject({ observations: [{ price: '0.000001' }], ignored: [{ count: 4 }] })
  })

  it('keeps the first of two prices of one line and says so', () => {
    const observed = startObservations()
    for (const amount of ['3', 3.0, '4']) observed.price({ ...item, amount, tier: { region: 'a' } })
    observed.price({ ...item, amount: 5, tier: { region: 'b' } })
    const read = observed.done()
    expect(read.observations.map(({ price }) => price)).toEqual(['3', '5'])
    expect(read.ignored.map(({ reason, example }) => [reason, example])).toEqual([
      ['the same price line again', 'r input_tokens at /0'],
      ['the same price line again with another price: the first was taken', 'r input_tokens: 3, then 4 at /0'],
    ])
  })

  it('refuses a snapshot without one price', () => {
    const observed = startObservations()
    observed.price({ ...item, amount: -1 })
    expect(() => observed.done()).toThrow(SnapshotError)
  })
})

describe('units', () => {
  it('are `<currency>_per_<one thing>` for every dimension', () => {
    for (const dimension of DIMENSIONS) expect(unitSchema.safeParse(unitOf(dimension, 'USD')).success).toBe(true)
    expect(unitOf('input_tokens', 'EUR')).toBe('eur_per_token')
    expect(unitOf('web_searches', 'USD')).toBe('usd_per_search')
    expect(unitOf('gpu_hours', 'USD')).toBe('usd_per_gpu_hour')
    expect(unitOf('output_images', 'USD')).toBe('usd_per_image')
    expect(unitOf('credits', 'USD')).toBe('usd_per_credit')
    expect(unitOf('input_tokens', 'SNOWFLAKE_AI_CREDIT')).toBe('credit_per_token')
  })
})

describe('keys that name a tier', () => {
  it('are read in any composition of their parts', () => {
    const service = fc.constantFrom(
      ['', undefined],
      ['_batches', 'batch'],
      ['_priority', 'priority'],
      ['_flex', 'flex'],
    )
    const context = fc.constantFrom(32, 128, 200, 256, 272, 512)
    fc.assert(
      fc.property(
        service,
        fc.option(context),
        fc.option(fc.constantFrom(1, 12)),
        ([suffix, name], thousands, hours) => {
          const key = `cache_creation_input_token_cost${hours ? `_above_${hours}hr` : ''}${thousands ? `_above_${thousands}k_tokens` : ''}${suffix}`
          expect(litellmKey(key)).toEqual({
            dimension: 'cache_write_tokens',
            decimalShift: 0,
            tier: {
              ...(name && { service: name }),
              ...(thousands && { context: `>${thousands}000` }),
              ...(hours && { ttl: `${hours}h` }),
            },
          })
        },
      ),
    )
  })

  it('are refused when a part is unknown', () => {
    const unknown = ['input_cost_per_token_above_200k_moons', 'input_cost_per_token_turbo', 'cost', '', 'max_tokens']
    for (const key of unknown) expect(litellmKey(key)).toBeUndefined()
    for (const key of ['input_ktok', 'cache_mtok', 'input_read_mtok', 'mtok', 'output_write_mtok', ''])
      expect(genaiKey(key)).toBeUndefined()
  })

  it('fall back to the kind of token, with the medium as a tier, where the vocabulary has no word for both', () => {
    expect(genaiKey('cache_image_write_5m_mtok')).toEqual({
      dimension: 'cache_write_tokens',
      tier: { ttl: '5m', modality: 'image' },
      decimalShift: 6,
    })
  })
})

describe('the canonical resource', () => {
  it.each([
    ['anthropic', 'claude-sonnet-4-5', 'anthropic/claude-sonnet-4-5'],
    ['openrouter', 'anthropic/claude-sonnet-4.5', 'anthropic/claude-sonnet-4-5'],
    ['aws', 'regional.anthropic.claude-haiku-4-5-20251001-v1:0', 'anthropic/claude-haiku-4-5-20251001'],
    ['google', 'claude-3-5-haiku', 'anthropic/claude-3-5-haiku'],
    ['google', 'gemini-2.5-pro', 'google/gemini-2.5-pro'],
    ['openrouter', 'google/gemma-3-27b-it:free', 'google/gemma-3-27b-it'],
    ['huggingface_together', 'Qwen/Qwen3-32B', 'qwen/qwen3-32b'],
    ['groq', 'llama-3.1-8b-instant', 'meta/llama-3.1-8b-instant'],
    ['openrouter', 'someone/unheard-of', undefined],
    ['groq', 'own-model', undefined],
    ['deepseek', 'own-model', 'deepseek/own-model'],
  ])('of %s %s is %s', (provider, resource, canonical) => expect(canonicalOf(provider, resource)).toBe(canonical))
})

describe('a snapshot that is not JSON', () => {
  it.each([
    ['', /empty/],
    ['  <HTML><body>', /web page/],
    ['{"a": NaN}', /NaN/],
    ['{"a": [1, 2', /cut off after 11 bytes/],
    ['{"a": oops}', /not JSON/],
  ])('%j is refused with its reason', (text, sentence) =>
    expect(() => readJson(new TextEncoder().encode(text))).toThrow(sentence),
  )
})
