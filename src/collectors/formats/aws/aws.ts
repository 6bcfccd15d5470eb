import type { PricingTier } from '../../../catalog/schema.ts'
import { type Instant, parseInstant } from '../../../lib/instant.ts'
import { SnapshotError } from '../../collector.ts'
import { isObject, type JsonObject, pointer, textAt } from '../../reading/json.ts'
import type { Path } from '../../reading/json-entries.ts'
import { jsonReader } from '../../reading/json-reader.ts'
import type { Observations } from '../../reading/observations.ts'
import { volumeTier } from '../../reading/quantities.ts'
import { isZero } from '../../reading/quote-rules.ts'
import { streaming } from '../../reading/streaming.ts'
import { type NamedForApi, namedForApi } from './aws-names.ts'
import { type AwsProduct, awsProduct } from './aws-product.ts'
import { AwsProducts } from './aws-products.ts'

const PROVIDER = 'aws'

/** An offer file of the AWS price list: products by sku, and the terms they are offered on. */
export const aws = streaming({
  format: 'aws',
  parserVersion: 9,
  read(observations, { at, source }) {
    observations.provider(PROVIDER, 'Amazon Web Services')
    const opened = new Set<Path[number]>()
    const products = new AwsProducts(source.options.families)
    const toQuote = namedForApi(source)
    // Terms that come before the products wait for them.
    let early: OfferTerms[] = []
    return jsonReader({
      isOpened(path) {
        const isList = path.length === 1 && LISTS.includes(String(path[0]))
        if (isList) opened.add(path[0]!)
        return path.length === 0 || isList || (path.length === 2 && path[0] === 'terms')
      },
      onEntry([list, ...path], value) {
        if (list === 'products' && typeof path[0] === 'string') products.add(path[0], value)
        const [type, sku] = path
        if (list !== 'terms' || typeof type !== 'string' || typeof sku !== 'string') return
        const offered = { type, sku, terms: isObject(value) ? value : {} }
        if (opened.has('products')) readOffered({ observations, products, toQuote, at }, offered)
        else early.push(offered)
      },
      onEnd() {
        if (LISTS.some((list) => !opened.has(list)))
          throw new SnapshotError('The offer file has no products or no terms: the format changed.')
        for (const offered of early) readOffered({ observations, products, toQuote, at }, offered)
        early = []
      },
    })
  },
})

const LISTS = ['products', 'terms']

/** The terms that a product is offered on, of one type. */
type OfferTerms = { type: string; sku: string; terms: JsonObject }

type Reading = { observations: Observations; products: AwsProducts; toQuote: NamedForApi; at: Instant }

function readOffered({ observations, products, toQuote, at }: Reading, { type, sku, terms }: OfferTerms) {
  if (products.isLeftOut(sku)) return observations.ignore('a product of a family that is not declared', sku)
  const product = products.get(sku)
  for (const [code, term] of Object.entries(terms)) {
    const shown = `${sku} ${type}`
    const begins = isObject(term) ? parseInstant(textAt(term, 'effectiveDate') ?? '') : undefined
    if (!product || !isObject(term)) observations.ignore('a term of no product', shown)
    else if (begins && begins > at) observations.later(begins, shown)
    else {
      const place = ['terms', type, sku, code]
      readTerm(observations, toQuote, { type, sku, product, term, begins: begins?.slice(0, 10), at: place })
    }
  }
}

type Term = { type: string; sku: string; product: JsonObject; term: JsonObject; begins?: string; at: string[] }

function readTerm(observations: Observations, toQuote: NamedForApi, { type, sku, product, term, begins, at }: Term) {
  const service = serviceOf(type, isObject(term.termAttributes) ? term.termAttributes : {})
  if (service === undefined)
    return observations.ignore('a term with a fee ahead: its price is not by the hour alone', `${sku} ${type}`)
  const steps = isObject(term.priceDimensions) ? term.priceDimensions : {}
  for (const [rate, step] of Object.entries(steps)) {
    const locator = pointer(...at, 'priceDimensions', rate)
    if (!isObject(step)) {
      observations.ignore('a rate that is not an object', rate)
      continue
    }
    const read = toQuote(awsProduct(product, textAt(step, 'unit') ?? '', sku))
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
      tier: { ...rate.tier, ...volumeOf(step, rate) },
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

function volumeOf(step: JsonObject, rate: Rate): PricingTier {
  const [from = '0', to = 'Inf'] = [textAt(step, 'beginRange'), textAt(step, 'endRange')]
  return volumeTier(from, to === 'Inf' ? undefined : to, rate)
}
