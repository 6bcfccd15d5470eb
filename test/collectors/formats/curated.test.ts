import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { lines, parseAs } from '../support.ts'

const parse = parseAs('curated')
const file = (...prices: object[]) => ({ prices })
const item = { provider: 'acme', resource: 'm', dimension: 'input_tokens', price: '3.00', per: 1000000 }

describe('a curated file', () => {
  it('expresses anything: currency, tier, canonical resource, category, condition, the day it took effect', () => {
    const all = {
      ...item, currency: 'EUR', pricingTier: { region: 'eu', service: 'batch' }, canonicalResource: 'maker/m',
      category: 'chat', billingCondition: 'yearly contract', effectiveFrom: '2026-12-01',
    } // biome-ignore format: one thing after another
    expect(parse({ about: 'by hand', sources: ['https://acme.example/prices'], ...file(all) }).observations).toEqual([
      {
        provider: 'acme', resource: 'm', dimension: 'input_tokens', unit: 'eur_per_token', currency: 'EUR',
        pricingTier: { region: 'eu', service: 'batch' }, price: '0.000003', canonicalResource: 'maker/m',
        category: 'chat', billingCondition: 'yearly contract', effectiveFrom: '2026-12-01', locator: '/prices/0',
      },
    ]) // biome-ignore format: one thing after another
  })

  it('can be a table with a column per field and per part of the tier', () => {
    const table = [
      'provider,resource,dimension,price,per,currency,tier.region,tier.edition,effectiveFrom',
      'acme,m,input_tokens,3.00,1000000,EUR,eu,,',
      'acme,"machine, large",gpu_hours,1.5,,,,pro,2026-12-01',
    ].join('\r\n')
    const read = parse(table)
    expect(lines(read)).toEqual([
      'm input_tokens eur_per_token {"region":"eu"} 0.000003',
      'machine, large gpu_hours usd_per_gpu_hour {"edition":"pro"} 1.5',
    ])
    expect(read.observations.map((row) => row.locator)).toEqual(['line 2', 'line 3'])
  })

  it('lists a zero as a price: whether it is believed is decided where it is published', () => {
    expect(lines(parse(file({ ...item, price: '0.00' })))).toEqual(['m input_tokens usd_per_token {} 0'])
  })

  it('expresses prices by weekdays, holidays and time, in one spelling however they are written', () => {
    const read = parse(
      file(
        { ...item, price: '2', pricingTier: { timeOfDay: '!PH:CN,Mo-Fr 14:00-18:00,09:00-12:00 Asia/Shanghai' } },
        { ...item, price: '1', pricingTier: { timeOfDay: 'Su,Sa,PH:CN 00:00-24:00 Asia/Shanghai' } },
      ),
    )
    expect(read.observations.map(({ pricingTier }) => pricingTier)).toEqual([
      { timeOfDay: 'Mo-Fr,!PH:CN 09:00-12:00,14:00-18:00 Asia/Shanghai' },
      { timeOfDay: 'Sa,Su,PH:CN 00:00-24:00 Asia/Shanghai' },
    ])
    expect(() => parse(file({ ...item, pricingTier: { timeOfDay: 'weekdays' } }))).toThrow(
      'prices.0.pricingTier.timeOfDay must be like 16:30Z-00:30Z or Mo-Fr,!PH 09:00-12:00 Asia/Shanghai',
    )
    const table = 'provider,resource,dimension,price,tier.timeOfDay\nacme,m,requests,1,"Sa,Su 00:00Z-24:00Z"\n'
    expect(parse(table).observations[0]?.pricingTier).toEqual({ timeOfDay: 'Sa,Su 00:00Z-24:00Z' })
  })

  it.each([
    [{ canonicalResource: 'gpt-4o' }, 'prices.0.canonicalResource must be like openai/gpt-4o'],
    [{ canonicalResource: '/gpt-4o' }, 'prices.0.canonicalResource must be like openai/gpt-4o'],
    [{ unit: 'per token' }, 'prices.0.unit'],
    [{ unit: 'usd_per_credit' }, 'prices.0.unit must be usd_per_credit for the dimension credits alone'],
    [{ unit: 'credit_per_token' }, 'prices.0.unit must be usd_per_credit for the dimension credits alone'],
    [{ dimension: 'credits', unit: 'usd_per_token' }, 'prices.0.unit must be usd_per_credit'],
    [{ currency: 'X_AI_CREDIT', unit: 'usd_per_token' }, 'prices.0.unit must be usd_per_credit'],
  ])('refuses %j', (more, problem) => {
    expect(() => parse(file({ ...item, ...more }))).toThrow(problem)
  })

  it('takes units of credits where they fit', () => {
    const read = parse(
      file(
        { ...item, dimension: 'credits', unit: 'usd_per_credit' },
        { ...item, currency: 'X_AI_CREDIT', unit: 'credit_per_token' },
      ),
    )
    expect(read.observations.map(({ unit }) => unit)).toEqual(['usd_per_credit', 'credit_per_token'])
  })

  it('makes a provider with credits a credit-priced one, with rates per token and prices per credit', () => {
    const read = parse(readFileSync(new URL('../../../sources/curated/example-credits.json', import.meta.url), 'utf8'))
    expect(read.providers).toEqual([{ provider: 'example-cloud', name: 'Example Cloud (made up)' }])
    const rates = read.observations.filter((row) => row.unit === 'credit_per_token')
    const credits = read.observations.filter((row) => row.unit === 'usd_per_credit')
    expect(rates.length + credits.length).toBe(read.observations.length)
    expect(new Set(credits.map((row) => row.resource))).toEqual(new Set(rates.map((row) => row.currency)))
    for (const row of credits) {
      expect(row.currency).toBe('USD')
      expect(Object.keys(row.pricingTier)).toEqual(['cloud', 'region', 'edition'])
    }
    expect(rates[0]).toMatchObject({ price: '0.00000019', currency: 'EXAMPLE_CLOUD_AI_CREDIT' })
  })

  it('gives what an AI credit of Snowflake costs', () => {
    const read = parse(readFileSync(new URL('../../../sources/curated/snowflake.json', import.meta.url), 'utf8'))
    expect(lines(read)).toEqual([
      'SNOWFLAKE_AI_CREDIT credits usd_per_credit {"service":"global_routing"} 2',
      'SNOWFLAKE_AI_CREDIT credits usd_per_credit {"service":"regional_routing"} 2.2',
    ])
    expect(read.providers).toEqual([{ provider: 'snowflake', name: 'Snowflake' }])
  })

  it('is refused with everything that is wrong in it, because a person can mend it', () => {
    const wrong = file(
      item,
      { ...item, price: -1, per: 3 },
      { ...item, dimension: 'vibes', provider: 'Not A Slug' },
      { ...item, pricingTier: { mood: 'x' } },
    )
    expect(() => parse(wrong)).toThrow(
      /prices\.1\.price .*prices\.1\.per .*prices\.2\.provider .*prices\.2\.dimension .*prices\.3/,
    )
    expect(() => parse(file({ ...item, prise: 1 }))).toThrow(/prise/)
    expect(() => parse(file())).toThrow(/empty list/)
    expect(() => parse('provider,resource,price\na,b,1\n')).toThrow(/no column dimension/)
  })

  it('may begin with empty lines, and its names may have brackets', () => {
    expect(lines(parse(`\n ${JSON.stringify(file(item))}`))).toEqual(['m input_tokens usd_per_token {} 0.000003'])
    expect(lines(parse('provider,resource,dimension,price\nacme,{m},requests,1\n'))).toEqual([
      '{m} requests usd_per_request {} 1',
    ])
  })

  it('has units of its own, and otherwise those of its currency, also for what a credit costs', () => {
    const credits = { ...item, dimension: 'credits', per: 1 }
    const [own, dollars, euros, rate] = parse(
      file(
        { ...item, unit: 'usd_per_moon' },
        { ...credits, resource: 'a' },
        { ...credits, resource: 'b', currency: 'EUR' },
        { ...item, currency: 'ACME_AI_CREDIT' },
      ),
    ).observations
    expect([own?.unit, dollars?.unit, euros?.unit, rate?.unit]).toEqual([
      'usd_per_moon',
      'usd_per_credit',
      'eur_per_credit',
      'credit_per_token',
    ])
  })

  it('takes the names of providers from the file, and those it does not name as they are', () => {
    const providers = [{ provider: 'acme', name: 'Acme AI' }]
    const prices = [
      item,
      { ...item, provider: 'rates', currency: 'ACME_PLATFORM_CREDIT' },
      { ...item, provider: 'costs', dimension: 'credits' },
    ]
    expect(parse({ providers, prices }).providers).toEqual([
      { provider: 'acme', name: 'Acme AI' },
      { provider: 'rates', name: 'rates' },
      { provider: 'costs', name: 'costs' },
    ])
  })

  it('says of each of ten things what is wrong, and of others how many there are', () => {
    const wrong = (count: number) => file(...Array.from({ length: count }, () => ({ ...item, price: 'free' })))
    const ten = Array.from({ length: 10 }, (_, n) => `prices.${n}.price must be a number that is not negative`).join(
      '; ',
    )
    const said = (count: number) => {
      try {
        return parse(wrong(count))
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(said(10)).toBe(`The curated file needs fixing: ${ten}.`)
    expect(said(12)).toBe(`The curated file needs fixing: ${ten}; and 2 more.`)
  })

  it.each([13, 21, 0, 0.1, -10])('has no price per %d', (per) => {
    expect(() => parse(file({ ...item, per }))).toThrow(
      'The curated file needs fixing: prices.0.per must be a power of ten.',
    )
  })
})
