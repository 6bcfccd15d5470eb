import { expect, it } from 'vitest'
import { namedMeters } from '../../../src/collectors/formats/azure-names.ts'
import { collectorFor } from '../../../src/collectors/index.ts'
import { readSources } from '../../../src/collectors/sources-file.ts'
import { parseInstant } from '../../../src/lib/instant.ts'
import { ignored, lines } from '../support.ts'

const source = readSources().all.find((one) => one.source === 'azure-openai')!
const item = (skuName: string, retailPrice: number, more: object = {}) => ({
  currencyCode: 'USD', tierMinimumUnits: 0, retailPrice, unitOfMeasure: '1K', armRegionName: 'eastus2', skuName, meterName: `${skuName} Tokens`,
  productName: 'Azure OpenAI', serviceName: 'Foundry Models', type: 'Consumption', effectiveStartDate: '2026-06-01T00:00:00Z', ...more,
}) // biome-ignore format: as recorded
const read = (...Items: object[]) =>
  collectorFor('azure')!.parse(Buffer.from(JSON.stringify({ Items, NextPageLink: null, Count: Items.length })), {
    source,
    at: parseInstant('2026-11-24T00:00:00Z')!,
  })

/** Meters with prices as tests of programs quote the API in 2026, some verified live on 2026-09-15. */
it('meters of Azure OpenAI have the name of the API, and the tokens and deployment that their words say', () => {
  const answer = read(
    item('gpt 4.1 Inp glbl', 0.002),
    item('gpt 4.1 Outp glbl', 0.008),
    item('gpt 4.1 cached Inp glbl', 0.0005),
    item('gpt 4.1 Inp regnl', 0.0022),
    item('gpt 4.1 Batch Inp Data Zone', 0.0011),
    item('gpt 4.1 nano Inp glbl', 0.0001),
    item('gpt-5-pro-inp-Gl 1M Tokens', 15, { unitOfMeasure: '1M' }),
    item('gpt 4.1 Inp glbl', 0.002, { armRegionName: 'westeurope' }),
  )
  expect(lines(answer).toSorted()).toEqual([
    'gpt-4.1 cache_read_tokens usd_per_token {} 0.0000005',
    'gpt-4.1 input_tokens usd_per_token {"region":"eastus2","offer":"data_zone","service":"batch"} 0.0000011',
    'gpt-4.1 input_tokens usd_per_token {"region":"eastus2","offer":"regional"} 0.0000022',
    'gpt-4.1 input_tokens usd_per_token {} 0.000002',
    'gpt-4.1 output_tokens usd_per_token {} 0.000008',
    'gpt-4.1-nano input_tokens usd_per_token {} 0.0000001',
    'gpt-5-pro input_tokens usd_per_token {} 0.000015',
  ])
  expect(answer.observations[0]?.canonicalResource).toMatch(/^openai\/gpt-/)
  expect(ignored(answer)).toEqual({ 'the same price line again': 1 })
})

it('a meter with a word that is not known, or that does not say enough, is left out', () => {
  const named = namedMeters([{ listed: 'gpt 4.1', resource: 'gpt-4.1', evidence: 'seen', day: '2026-11-24' }])
  const unknown = /^a model whose name in the API is not known/
  const unclear = 'a meter of gpt-4.1 that does not say which tokens, or which deployment'
  for (const meter of ['gpt 4.1 ft Inp glbl', 'gpt 4.1 mini Inp glbl', '4.1 Inp glbl', 'gpt 4.1 hosting glbl', '', 'gpt 4.1 lngctx Inp glbl'])
    expect(named(meter, 'eu'), meter).toEqual({ leftOut: expect.stringMatching(unknown) })
  for (const meter of ['gpt 4.1 Inp', 'gpt 4.1 glbl', 'gpt 4.1 Inp Outp glbl', 'gpt 4.1 cached Outp glbl', 'gpt 4.1 Inp glbl DZ'])
    expect(named(meter, 'eu'), meter).toEqual({ leftOut: unclear })
  const answer = read(item('gpt 4.1 Inp glbl', 0.002), item('gpt 4.1 Outp glbl', 0, {}), item('gpt 4.1 Inp glbl', 1, { unitOfMeasure: '1 Hour' }), item('gpt 4.1 Inp glbl', 9, { type: 'DevTestConsumption' }))
  expect(lines(answer)).toHaveLength(1)
  expect(ignored(answer)).toEqual({
    'a meter for nothing: free, or its price is missing': 1, 'not a price of tokens': 1, 'another type: DevTestConsumption': 1,
  })
}) // biome-ignore format: samples
