import type { PricingTier } from '../../catalog/schema.ts'
import { type PriceCollector, SnapshotError } from '../collector.ts'
import { isObject, type JsonObject, listOf, pointer, readJson, textAt } from '../reading/json.ts'
import { type Observations, startObservations } from '../reading/observations.ts'
import { type Quantity, quantityOf, volumeTier } from '../reading/quantities.ts'
import { isZero, type Quote } from '../reading/quote-rules.ts'

const PROVIDER = 'oracle'
/** A range that ends here has no end. */
const NO_END = 999_999_999

/** Oracle's price list (apexapps.oracle.com/pls/apex/cetools/api/v1/products): products, each priced by its metric. */
export const oracle: PriceCollector = {
  format: 'oracle',
  parserVersion: 2,
  parse(bytes) {
    const answer = readJson(bytes)
    if (!isObject(answer) || !('items' in answer))
      throw new SnapshotError('The answer has no `items`: the format changed.')
    const observations = startObservations()
    observations.provider(PROVIDER, 'Oracle Cloud')
    for (const [index, product] of listOf(answer.items, 'The list of products').entries())
      readProduct(observations, product, ['items', index])
    return observations.done()
  },
}

function readProduct(observations: Observations, product: JsonObject, at: (string | number)[]) {
  const sku = textAt(product, 'partNumber')
  const resource = textAt(product, 'displayName')?.replace(/\s+/g, ' ')
  const metric = textAt(product, 'metricName') ?? ''
  if (!sku || !resource)
    return observations.ignore('a product without a name or a part number', JSON.stringify(product))
  const quantity = quantityOf(metric)
  if (!quantity) return observations.unpriced(PROVIDER, resource, `an unknown unit: ${metric}`, pointer(...at))
  const isGpu = metric === 'GPU Per Hour'
  const offers = Array.isArray(product.currencyCodeLocalizations) ? product.currencyCodeLocalizations : []
  for (const [i, offer] of offers.entries()) {
    const currency = isObject(offer) ? textAt(offer, 'currencyCode') : undefined
    const prices = isObject(offer) && Array.isArray(offer.prices) ? offer.prices : []
    for (const [j, price] of prices.entries()) {
      const volume = isObject(price) ? volumeOf(price, quantity) : undefined
      if (!isObject(price) || !volume || !currency)
        observations.ignore('a price of an unknown shape', `${resource} ${JSON.stringify(price)}`)
      else if (price.model !== 'PAY_AS_YOU_GO') observations.ignore(`an unknown kind of price: ${price.model}`, resource)
      else
        take(observations, {
          provider: PROVIDER, resource, currency, amount: price.value, decimalShift: quantity.decimalShift,
          dimension: isGpu ? 'gpu_hours' : 'usage', unit: isGpu ? undefined : `${currency.toLowerCase()}_per_${quantity.unit}`,
          tier: { ...volume, sku }, category: textAt(product, 'serviceCategory'),
          locator: pointer(...at, 'currencyCodeLocalizations', i, 'prices', j, 'value'),
        }) // biome-ignore format: one thing after another
    }
  }
}

function take(observations: Observations, quoted: Quote) {
  if (isZero(quoted.amount)) observations.zero(quoted, 'a price of nothing: included, or free up to a volume')
  else observations.price(quoted)
}

/** A price may hold for a range of what is used in a month. */
function volumeOf({ rangeMin = 0, rangeMax = NO_END }: JsonObject, quantity: Quantity): PricingTier | undefined {
  if (typeof rangeMin !== 'number' || typeof rangeMax !== 'number') return undefined
  return volumeTier(String(rangeMin), rangeMax < NO_END ? String(rangeMax) : undefined, quantity)
}
