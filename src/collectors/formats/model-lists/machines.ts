import { SnapshotError } from '../../collector.ts'
import { isObject, type JsonObject, textAt } from '../../reading/json.ts'
import type { Amount, ModelList, Reading } from './declaration.ts'

/** A page of Scaleway's list holds as many; a fuller list has more pages. */
const PAGE = 100
const isPrice = (key: string) => /price|cost/i.test(key)

/** api.scaleway.com `GET /instance/v1/zones/ZONE/products/servers?per_page=100`: euros an hour, by name. */
export const scaleway: ModelList = {
  format: 'scaleway-servers',
  parserVersion: 1,
  provider: 'scaleway',
  name: 'Scaleway',
  list: 'servers',
  isKeyed: true,
  id: 'name',
  pricing: [],
  currency: () => 'EUR',
  tier: ({ zone }) => (typeof zone === 'string' ? { region: zone } : {}),
  prices: { hourly_price: { dimension: 'instance_hours', shift: 0 } },
  needed: ['hourly_price'],
  // The hours of a month at the same price.
  notPrices: (key) => key === 'monthly_price',
  leftOut: ({ end_of_service: hasEnded }) => (hasEnded === true ? 'a machine that is no longer sold' : undefined),
  check(machines) {
    if (machines.length >= PAGE) throw new SnapshotError('The answer is one page of several; all were expected.')
  },
}

/** cloud.lambda.ai `GET /api/v1/instance-types`: US cents an hour, by name. It asks for a key. */
export const lambda: ModelList = {
  format: 'lambda-instances',
  parserVersion: 1,
  provider: 'lambda',
  name: 'Lambda',
  list: 'data',
  isKeyed: true,
  id: 'name',
  pricing: ['instance_type'],
  prices: { price_cents_per_hour: { dimension: 'instance_hours', shift: 2 } },
  needed: ['price_cents_per_hour'],
  notPrices: (key) => !isPrice(key),
}

const HOURLY = /^[a-z0-9][a-z0-9-]*\.consumption$/

/** eu.api.ovh.com `GET /v1/order/catalog/public/cloud`: machines among the addons, 10^-8 of the currency an hour. */
export const ovhCloud: ModelList = {
  format: 'ovh-catalog',
  parserVersion: 1,
  provider: 'ovh',
  name: 'OVHcloud',
  list: 'addons',
  id: 'planCode',
  pricing: [],
  currency: ({ locale }) => (isObject(locale) ? textAt(locale, 'currencyCode') : undefined),
  prices: { hour: { dimension: 'instance_hours', shift: 8 } },
  needed: ['hour'],
  leftOut(addon) {
    if (!HOURLY.test(String(addon.planCode))) return 'another product, or another term'
    const { technical } = isObject(addon.blobs) ? addon.blobs : {}
    return isObject(technical) && isObject(technical.cpu) ? undefined : 'a product that is not a machine'
  },
  amounts: hourly,
}

function hourly({ pricings }: JsonObject, { report }: Reading): Amount[] {
  return (Array.isArray(pricings) ? pricings : []).flatMap((step: unknown, index): Amount[] => {
    if (isObject(step) && step.intervalUnit === 'hour')
      return [{ key: 'hour', value: step.price, at: ['pricings', index, 'price'] }]
    report('a price that is not by the hour', step)
    return []
  })
}

const CLOUDS = [
  { cloud: 'secureCloud', offer: 'secure_cloud', prices: ['securePrice', 'secureSpotPrice'] },
  { cloud: 'communityCloud', offer: 'community_cloud', prices: ['communityPrice', 'communitySpotPrice'] },
] as const

/** api.runpod.io/graphql `{gpuTypes{…}}`: dollars an hour of one GPU, in each of two clouds. It is asked with a question. */
export const runpod: ModelList = {
  format: 'runpod-gpu-types',
  parserVersion: 1,
  provider: 'runpod',
  name: 'RunPod',
  list: 'data.gpuTypes',
  id: 'id',
  pricing: [],
  prices: Object.fromEntries(
    CLOUDS.flatMap(({ prices }) => prices).map((key) => [key, { dimension: 'gpu_hours' as const, shift: 0 }]),
  ),
  needed: ['securePrice'],
  // A number stands also where a cloud does not have the GPU: nothing, or a half.
  leftOut: (gpu) => (CLOUDS.some(({ cloud }) => gpu[cloud] === true) ? undefined : 'a GPU that neither cloud has'),
  amounts: (gpu) =>
    CLOUDS.filter(({ cloud }) => gpu[cloud] === true).flatMap(({ offer, prices: [price, spot] }): Amount[] => [
      ...(price in gpu ? [{ key: price, value: gpu[price], at: [price], tier: { offer } }] : []),
      // Without a price for spot it is not to be had.
      ...(gpu[spot] == null ? [] : [{ key: spot, value: gpu[spot], at: [spot], tier: { offer, service: 'spot' } }]),
    ]),
}
