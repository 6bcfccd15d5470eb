import { describe, expect, it } from 'vitest'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { bundledSnapshots, collectorFor } from '../../../src/collectors/index.ts'
import { readPriceLimits } from '../../../src/prices/ingest/read-price-limits.ts'
import { learnLimits, type PublishedPrice } from '../../../src/prices/plan/evidence/learn-limits-rules.ts'
import { isOutside, limitsOf, type PriceLimits } from '../../../src/prices/plan/evidence/price-limit-rules.ts'
import { identityOf } from '../../../src/prices/row-rules.ts'

const byHand: PriceLimits = { about: '', dimensions: { pages: { least: 0.001, most: 1 } }, units: {} }

/** Forty prices of each of four providers, from one to four dollars per million tokens. */
const published = (more: Partial<PublishedPrice> = {}): PublishedPrice[] =>
  ['a', 'b', 'c', 'd'].flatMap((provider) =>
    Array.from({ length: 40 }, (_, i) => ({
      provider,
      dimension: 'output_tokens',
      unit: 'token',
      price: (1 + (3 * i) / 39) / 1e6,
      input: 0.5e-6,
      ...more,
    })),
  )

describe('limits learned from published prices', () => {
  const learn = (prices: PublishedPrice[]) => learnLimits(prices, byHand)

  it('are a tenth of the least, a quarter above the most, and a quarter beside the ratios to the input price', () => {
    expect(learn(published()).dimensions.output_tokens).toEqual({
      least: 1e-7,
      most: 5e-6,
      prices: 160,
      toInput: { least: 1.6, most: 10 },
    })
  })

  it('do not follow one provider further than ten times beyond the next', () => {
    const wild = { provider: 'e', dimension: 'output_tokens', unit: 'token', price: 1 }
    expect(learn([...published(), wild]).dimensions.output_tokens?.most).toBe(5e-5)
  })

  it('stay as they were for dimensions with few prices, or of few providers', () => {
    const few = published().slice(0, 90)
    const ofTwo = published().filter(({ provider }) => provider < 'c')
    const { dimensions, units } = byHand
    for (const learned of [learn(few), learn([...ofTwo, ...ofTwo])])
      expect(learned).toMatchObject({ dimensions, units })
    expect(learn(few).dimensions.output_tokens).toBeUndefined()
  })

  it('say that what is rented by the hour is never free, when it never was', () => {
    const rented = published({ dimension: 'gpu_hours', unit: 'gpu_hour', input: undefined })
    expect(learn(rented).dimensions.gpu_hours?.neverFree).toBe(true)
    const free = { provider: 'e', dimension: 'gpu_hours', unit: 'gpu_hour', price: 0 }
    expect(learn([...rented, free]).dimensions.gpu_hours?.neverFree).toBeUndefined()
  })
})

describe('the limits that come with the product', () => {
  const source = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices' })
  const released = bundledSnapshots().flatMap(
    ({ bytes, at }) => collectorFor('genai-prices')!.parse(bytes(), { source, at }).observations,
  )

  it('accept the prices of the bundled releases, but for one that was wrong and was corrected', async () => {
    const limits = await readPriceLimits()
    const outside = released.filter((observed) =>
      isOutside(Number(observed.price), limitsOf(limits, identityOf(observed))),
    )
    expect(released.length).toBeGreaterThan(9_000)
    expect(outside.map(({ resource, dimension, price }) => [resource, dimension, price])).toEqual([
      ['meta.llama3-8b-instruct-v1%3A0', 'input_tokens', '0.00022'],
    ])
  })

  it('refuse a price per million, or per thousand, that is taken for one per token', async () => {
    const limits = await readPriceLimits()
    const tokens = released.filter(({ unit, price }) => unit === 'usd_per_token' && price !== '0')
    const accepted = (factor: number) =>
      tokens.filter((observed) => !isOutside(Number(observed.price) * factor, limitsOf(limits, identityOf(observed))))
        .length
    expect(accepted(1_000_000)).toBe(0)
    expect(accepted(1_000) / tokens.length).toBeLessThan(0.5)
  })
})
