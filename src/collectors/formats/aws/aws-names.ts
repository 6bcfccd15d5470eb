import type { SourceDeclaration } from '../../../catalog/schema.ts'
import { lookUp } from '../../../lib/collections.ts'
import { canonicalOf } from '../../reading/canonical-ids.ts'
import type { AwsProduct, NoProduct } from './aws-product.ts'

/** Gives a product the name that its API has for it, or says why it has none. */
export type NamedForApi = (product: AwsProduct | NoProduct) => AwsProduct | NoProduct

/** `openai.gpt-oss-120b`: maker and model, as the API has them. */
const API_NAME = /^[a-z0-9]+\.[a-z0-9][a-z0-9.:-]*$/
/** Routes of a request: all over the world, within the countries of a profile, or unsaid. */
const [GLOBAL, GEO] = ['cross_region_global', 'cross_region_geo']
const ROUTES = [GLOBAL, GEO, 'cross_region']

/**
 * Offer files of Bedrock name models for people. A source with `options.names` reads the tokens of those models alone of
 * which that table has the API's name. The API has a model under a name of its own where requests go all over the world
 * (`global.`) or stay in `options.profile` (`us.`, `eu.`). A price in `options.standardRegion` is the one without a region.
 */
export function namedForApi({ options, modelNames }: SourceDeclaration): NamedForApi {
  if (!modelNames) return (product) => product
  const names = Object.fromEntries(modelNames.map((one) => [one.listed, one]))
  const { profile, standardRegion } = options
  return (product) => {
    if (!('dimension' in product) || !product.dimension.endsWith('_tokens')) return { leftOut: 'not a price of tokens' }
    const known = lookUp(names, product.resource)
    if (!known && !API_NAME.test(product.resource))
      return { leftOut: `a model whose name in the API is not known: ${product.resource}` }
    const name = known?.resource ?? product.resource
    const { region, offer = '', ...rest } = product.tier
    const route = ROUTES.find((one) => offer === one || offer.startsWith(`${one}_`))
    const other = offer.slice(route ? route.length + 1 : 0)
    const tier = { ...rest, ...(other && { offer: other }) }
    const named = (resource: string, more = {}) => ({
      ...product, resource, canonicalResource: canonicalOf('aws', resource), tier: { ...more, ...tier },
    }) // biome-ignore format: one thing after another
    if (route === GLOBAL) return named(`global.${name}`)
    if (route === GEO || known?.profiles)
      return typeof profile === 'string' ? named(`${profile}.${name}`) : { leftOut: 'a profile that is not declared' }
    if (route) return { leftOut: 'a route across regions that is not known' }
    return named(name, region && region !== standardRegion ? { region } : {})
  }
}
