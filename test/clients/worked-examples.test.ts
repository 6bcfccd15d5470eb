import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { costOf, type SellerCost } from '../../clients/typescript/src/cost/index.ts'
import { groupBy } from '../../src/lib/collections.ts'
import { type Decimal, parseDecimal, scaleDown } from '../../src/lib/decimal.ts'
import { priceRow } from '../mcp/price-row.ts'
import { lacks } from '../support/suite/needs.ts'
import { callPythonEach } from '../support/toolchains/python-client.ts'

const folder = new URL('../../bench/cost/', import.meta.url)
const tier = z.record(z.string(), z.string())
/** An example of a provider's page, in our words: `per` is what its price is for, `included` what has no price. */
const example = z.strictObject({
  provider: z.string(),
  what: z.string(),
  address: z.url(),
  recorded: z.string(),
  currency: z.string().default('USD'),
  prices: z.array(
    z.strictObject({ dimension: z.string(), price: z.string(), per: z.string().default('1'), tier: tier.default({}) }),
  ),
  usage: z.strictObject({
    items: z.array(
      z.strictObject({ dimension: z.string(), quantity: z.union([z.int(), z.string()]), tier: tier.optional() }),
    ),
    requests: z.int().optional(),
  }),
  /** As the page has it. */
  total: z.string(),
  included: z.array(z.string()).default([]),
  note: z.string().optional(),
  /** Where ours is another, and why. */
  ours: z.string().optional(),
  difference: z.string().optional(),
})
type Example = z.infer<typeof example>

const examples = z.array(example).parse(JSON.parse(readFileSync(new URL('worked-examples.json', folder), 'utf8')))
const named = examples.map((one) => ({ ...one, title: `${one.provider}: ${one.what}` }))

const rowsOf = ({ provider, currency, prices }: Example) =>
  prices.map(({ dimension, price, per, tier: pricingTier }) => {
    const perOne = scaleDown(parseDecimal(price)!, per.length - 1)!
    return priceRow({ provider, dimension, price: perOne, pricingTier, currency })
  })

/** Rounds half up to as many decimals as a page shows. */
function asShown(exact: string, shown: string): string {
  const places = (shown.split('.')[1] ?? '').length
  const [whole = '', fraction = ''] = exact.split('.')
  const kept =
    BigInt(whole + fraction.padEnd(places, '0').slice(0, places)) + ((fraction[places] ?? '0') >= '5' ? 1n : 0n)
  return scaleDown(String(kept) as Decimal, places)!
}

function expectExample({ total, included, currency, ours, difference }: Example, found: SellerCost): void {
  expect(found.unpriced.map(({ quantity }) => quantity)).toEqual(included)
  for (const { reason } of found.unpriced) expect(reason).toContain('this part of the monthly volume')
  expect(Object.keys(found.total)).toEqual([currency])
  const exact = found.total[currency]!
  const isSame = asShown(exact, total) === parseDecimal(total)
  if (ours === undefined) expect([exact, isSame]).toEqual([exact, true])
  else expect([exact, isSame, difference]).toEqual([ours, false, expect.stringMatching(/\.$/)])
}

describe('the examples on providers’ own pages', () => {
  it.each(named)('$title', (one) => {
    expectExample(one, costOf(rowsOf(one), one.usage))
  })

  it.skipIf(lacks('Python 3.9'))('cost the same in Python', async () => {
    const tasks = examples.map((one) => ({ call: 'cost_of', given: [rowsOf(one), one.usage] }))
    const answers = await callPythonEach<SellerCost>(tasks)
    for (const [n, { result }] of answers.entries()) expectExample(examples[n]!, result!)
  })

  it('are counted in the README of the bench', () => {
    const readme = readFileSync(new URL('README.md', folder), 'utf8')
    for (const [provider, own] of groupBy(examples, (one) => one.provider)) {
      const same = own.filter(({ ours }) => ours === undefined).length
      expect(readme).toContain(`| ${provider} | ${own.length} | ${same} |`)
    }
  })
})
