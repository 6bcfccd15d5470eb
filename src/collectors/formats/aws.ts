import type { PricingTier } from '../../catalog/schema.ts'
import { parseInstant } from '../../lib/instant.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { isObject, type JsonObject, pointer, readJson, textAt } from '../reading/json.ts'
import { isZero, type Observations, startObservations } from '../reading/observations.ts'
import { type AwsProduct, awsProduct } from './aws-product.ts'

const PROVIDER = 'aws'

/** An offer file of the AWS price list: products by sku, and the terms they are offered on. */
export const aws: PriceCollector = {
  format: 'aws',
  parserVersion: 4,
  parse(bytes, { at }) {
    const offer = readJson(bytes)
    if (!isObject(offer) || !isObject(offer.products) || !isObject(offer.terms))
      throw new SnapshotError('The offer file has no products or no terms: the format changed.')
    const observations = startObservations()
    observations.provider(PROVIDER, 'Amazon Web Services')
    for (const [type, bySku] of Object.entries(offer.terms))
      for (const [sku, terms] of Object.entries(isObject(bySku) ? bySku : {}))
        for (const [code, term] of Object.entries(isObject(terms) ? terms : {})) {
          const product = offer.products[sku]
          const shown = `${sku} ${type}`
          const begins = isObject(term) ? parseInstant(textAt(term, 'effectiveDate') ?? '') : undefined
          if (!isObject(product) || !isObject(product.attributes) || !isObject(term))
            observations.ignore('a term of no product', shown)
          else if (begins && begins > at) observations.later(begins, shown)
          else
            readTerm(observations, {
              type,
              sku,
              product,
              term,
              begins: begins?.slice(0, 10),
              at: ['terms', type, sku, code],
            })
        }
    return observations.done()
  },
}

type Term = { type: string; sku: string; product: JsonObject; term: JsonObject; begins?: string; at: string[] }

function readTerm(observations: Observations, { type, sku, product, term, begins, at }: Term) {
  const service = serviceOf(type, isObject(term.termAttributes) ? term.termAttributes : {})
  if (service === undefined)
    return observations.ignore('a term with a fee ahead: its price is not by the hour alone', `${sku} ${type}`)
  const steps = isObject(term.priceDimensions) ? term.priceDimensions : {}
  for (const [rate, step] of Object.entries(steps)) {
    const locator = pointer(...at, 'priceDimensions', rate)
    if (!isObject(step)) {
      observations.ignore('a rate that is no object', rate)
      continue
    }
    const read = awsProduct(product, textAt(step, 'unit') ?? '', sku)
    if ('leftOut' in read) observations.ignore(read.leftOut, `${sku} ${textAt(step, 'description') ?? ''}`)
    else if ('unreadable' in read) observations.unpriced(PROVIDER, read.resource, read.unreadable, locator)
    else readRate(observations, step, { ...read, tier: { ...read.tier, ...service }, effectiveFrom: begins }, locator)
  }
}

type Rate = AwsProduct & { effectiveFrom?: string }

function readRate(observations: Observations, step: JsonObject, rate: Rate, locator: string) {
  // A rate without a price is listed all the same, in the currency of most offers.
  const prices = isObject(step.pricePerUnit) ? step.pricePerUnit : { USD: undefined }
  for (const [currency, amount] of Object.entries(prices)) {
    const quoted = {
      ...rate,
      provider: PROVIDER,
      amount,
      currency,
      unit: rate.unit && `${currency.toLowerCase()}_per_${rate.unit}`,
      tier: { ...rate.tier, ...volumeOf(step) },
      locator: `${locator}/pricePerUnit${pointer(currency)}`,
    }
    if (isZero(amount)) observations.zero(quoted, 'a rate of nothing: included, or free up to a volume')
    else observations.price(quoted)
  }
}

function serviceOf(type: string, attributes: JsonObject): PricingTier | undefined {
  if (type === 'OnDemand') return {}
  if (textAt(attributes, 'PurchaseOption') !== 'No Upfront') return undefined
  const words = [type, textAt(attributes, 'LeaseContractLength'), textAt(attributes, 'OfferingClass')]
  return { service: words.filter(Boolean).join('_').toLowerCase() }
}

function volumeOf(step: JsonObject): PricingTier {
  const [from = '0', to = 'Inf'] = [textAt(step, 'beginRange'), textAt(step, 'endRange')]
  return from === '0' && to === 'Inf' ? {} : { volume: to === 'Inf' ? `>=${from}` : `${from}-${to}` }
}
