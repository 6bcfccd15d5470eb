import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { historyAnswer } from '../../../src/api/schema.ts'
import { sourceDeclaration } from '../../../src/catalog/schema.ts'
import { curated } from '../../../src/collectors/formats/curated.ts'
import { day } from '../../prices/observed.ts'
import { snapshot } from '../../prices/support.ts'
import { testApi } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'

const db = testDatabase()
const api = testApi(db)

it("a credit-priced provider has rates in credits and credits in USD, and a rate times its credit's price is the cost", async () => {
  const bytes = readFileSync(new URL('../../../sources/curated/example-credits.json', import.meta.url))
  const source = sourceDeclaration.parse({ source: 'credits', format: 'curated' })
  const parsed = curated.parse(bytes, { source, at: day(0) })
  await snapshot(db.sql, 'credits', [], { source, parsed, at: day(0), quiet: true })
  const rows = async (query: string) =>
    historyAnswer.parse((await api.get(`/v1/prices/history?asOf=${day(1)}${query}`)).json).prices
  expect(await rows('')).toEqual([])

  const named = await rows('&providers=example-cloud')
  const rates = named.filter(({ unit }) => unit === 'credit_per_token')
  const credits = named.filter(({ unit }) => unit === 'usd_per_credit')
  expect(rates.length + credits.length).toBe(named.length)
  expect(new Set(rates.map(({ currency }) => currency))).toEqual(
    new Set(['EXAMPLE_CLOUD_AI_CREDIT', 'EXAMPLE_CLOUD_PLATFORM_CREDIT']),
  )
  for (const credit of credits) {
    expect(credit.currency).toBe('USD')
    expect(Object.keys(credit.pricingTier).sort()).toEqual(['cloud', 'edition', 'region'])
  }

  const [rate] = rates.filter(
    ({ resource, dimension }) => resource === 'example-large' && dimension === 'output_tokens',
  )
  // The credit that a rate is in is the one that its currency names.
  const costs = credits
    .filter(({ resource }) => resource === rate!.currency)
    .map(({ price, pricingTier }) => [pricingTier.edition, Number(rate!.price) * Number(price) * 1_000_000])
  expect(costs).toContainEqual(['standard', expect.closeTo(9.68, 10)])
})
