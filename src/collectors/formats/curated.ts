import { z } from 'zod'
import { canonicalTimeOfDay } from '../../catalog/clock/time-of-day-rules.ts'
import { canonicalId, dimension, pricingTier, slug, unit } from '../../catalog/schema.ts'
import { parseDecimal } from '../../lib/decimal.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { type Row, readCsv } from '../reading/csv.ts'
import { readJson, textOf } from '../reading/json.ts'
import { startObservations } from '../reading/observations.ts'
import { unitOf } from '../reading/units.ts'

const amount = z.union([z.string(), z.number()]).refine((value) => {
  const decimal = parseDecimal(value)
  return decimal !== undefined && !decimal.startsWith('-')
}, 'must be a number that is not negative')

/** A tier with the one spelling of its time of day, so that a price line keeps its identity. */
const tier = pricingTier.transform((given, context) => {
  if (given.timeOfDay === undefined) return given
  const timeOfDay = canonicalTimeOfDay(given.timeOfDay)
  if (timeOfDay !== undefined) return { ...given, timeOfDay }
  const message = 'must be like 16:30Z-00:30Z or Mo-Fr,!PH 09:00-12:00 Asia/Shanghai'
  context.addIssue({ code: 'custom', path: ['timeOfDay'], message })
  return z.NEVER
})

type Money = { dimension: string; currency: string; unit?: string }

/** Whether a unit says of credits what the dimension and the currency say. Only these decide who is shown a price. */
const agreesOnCredits = ({ dimension, currency, unit }: Money): boolean =>
  unit === undefined ||
  (unit.endsWith('_per_credit') === (dimension === 'credits') &&
    unit.startsWith('credit_per_') === currency.endsWith('_CREDIT'))

/** One price a person wrote down. `per` is what the price is for: 1000000 for a price per million. */
const curatedPrice = z
  .strictObject({
    provider: slug,
    resource: z.string().min(1),
    dimension,
    price: amount,
    per: z
      .number()
      .refine((value) => /^10*$/.test(String(value)), 'must be a power of ten')
      .default(1),
    currency: z.string().default('USD'),
    unit: unit.optional(),
    pricingTier: tier.default({}),
    canonicalResource: canonicalId.optional(),
    effectiveFrom: z.string().optional(),
    category: z.string().optional(),
    billingCondition: z.string().optional(),
  })
  .refine(agreesOnCredits, {
    path: ['unit'],
    message:
      'must be usd_per_credit for the dimension credits alone, and begin with credit_per_ for a currency of credits alone',
  })

/**
 * A file of prices people keep by hand: who the providers are, where the figures come from, the prices. Providers may be
 * named before they have a price.
 */
const curatedFile = z
  .strictObject({
    about: z.string().optional(),
    sources: z.array(z.string()).default([]),
    asOf: z.string().optional(),
    providers: z.array(z.strictObject({ provider: slug, name: z.string() })).default([]),
    prices: z.array(curatedPrice),
  })
  .refine(({ prices, providers }) => prices.length + providers.length > 0, {
    path: ['prices'],
    message: 'is an empty list',
  })

/** A curated file, as JSON or as CSV with a column per field and `tier.<key>` per part of the tier. */
export const curated: PriceCollector = {
  format: 'curated',
  parserVersion: 6,
  parse(bytes) {
    const asJson = /^\s*[{[]/.test(textOf(bytes))
    const read = curatedFile.safeParse(asJson ? readJson(bytes) : { prices: readTable(bytes) })
    if (!read.success) throw new SnapshotError(`The curated file needs fixing: ${problems(read.error)}.`)
    const { prices, providers } = read.data
    const observations = startObservations()
    const names = new Map(providers.map(({ provider, name }) => [provider, name]))
    for (const provider of new Set(prices.map((price) => price.provider)))
      observations.provider(provider, names.get(provider) ?? provider)
    for (const { provider, name } of providers) observations.planned(provider, name)
    for (const [index, { price, per, pricingTier: tier, ...rest }] of prices.entries())
      observations.price({
        ...rest,
        unit: rest.unit ?? unitOf(rest.dimension, rest.currency),
        amount: price,
        decimalShift: String(per).length - 1,
        tier,
        locator: asJson ? `/prices/${index}` : `line ${index + 2}`,
      })
    return observations.done()
  },
}

function readTable(bytes: Uint8Array) {
  const rows = readCsv(bytes, ['provider', 'resource', 'dimension', 'price'])
  return rows.map(({ line: _, ...row }: Row) => {
    const given = Object.entries(row).filter(([, value]) => value !== undefined && value !== '')
    const tier = given
      .filter(([column]) => column.startsWith('tier.'))
      .map(([column, value]) => [column.slice(5), value])
    const fields = given.filter(([column]) => !column.startsWith('tier.'))
    const { per, ...rest } = Object.fromEntries(fields)
    return { ...rest, ...(per && { per: Number(per) }), pricingTier: Object.fromEntries(tier) }
  })
}

const MOST_SHOWN = 10
function problems(error: z.ZodError): string {
  const all = error.issues.map((issue) => `${issue.path.join('.')} ${issue.message}`)
  const shown = all.slice(0, MOST_SHOWN).join('; ')
  return all.length > MOST_SHOWN ? `${shown}; and ${all.length - MOST_SHOWN} more` : shown
}
