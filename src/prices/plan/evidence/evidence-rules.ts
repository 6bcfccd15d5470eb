import { groupBy, joinKey, once } from '../../../lib/collections.ts'
import { compareDecimals } from '../../../lib/decimal.ts'
import { lineKey } from '../../row-rules.ts'
import type { LineIdentity } from '../../schema.ts'
import type { Witness } from '../../store/witness-store.ts'
import { core, nameParts } from '../renames/name-rules.ts'
import type { Facts, OtherPrice } from '../schema.ts'
import type { DifferingLine } from '../sets/line-set-rules.ts'
import { type LinePrice, nearestInput, type ResourcePrices } from './beside-rules.ts'
import type { Evidence, ListedPrice, PublishedPrices, Range, SellerPrice, WitnessedPrice } from './evidence-schema.ts'
import { fitOf, isChargedElsewhere, isFarFromAll, isPriceOfMost, rangeOf } from './fit-rules.ts'
import { sameShareAs } from './input-share-rules.ts'
import { limitsOf } from './price-limit-rules.ts'

/** Indexes published prices, when the first of them is needed; `proposed` are those the snapshot lists instead, by line key. */
export function publishedPrices(listed: ListedPrice[], proposed = new Map<string, string>()): PublishedPrices {
  const index = once(() => indexOf(listed))
  const ofProvider = (line: LineIdentity) => index().byProvider.get(joinKey(line.provider, kindOfPrice(line))) ?? []
  return {
    sellersOf: (line, canonicalResource) =>
      (index().byModel.get(joinKey(modelOf(line, canonicalResource), kindOfPrice(line))) ?? [])
        .filter(({ provider }) => provider !== line.provider)
        .map((sold) => ({
          provider: sold.provider,
          price: Number(sold.price),
          maker: nameParts(sold.resource).maker,
          ...listedFor(proposed.get(lineKey(sold))),
        })),
    ofProvider: (line) => ofProvider(line).map(({ price }) => Number(price)),
    sharesOfInput: (line) => {
      const inputs = new Map(ofProvider({ ...line, dimension: 'input_tokens' }).map((one) => [one.resource, one.price]))
      return ofProvider(line)
        .filter(({ resource }) => resource !== line.resource && Number(inputs.get(resource)) > 0)
        .map(({ resource, price }) => ({ resource, share: Number(price) / Number(inputs.get(resource)) }))
    },
  }
}

const listedFor = (price?: string) => price !== undefined && { listed: Number(price) }

function indexOf(listed: ListedPrice[]) {
  const model = rememberedModels()
  return {
    byModel: groupBy(listed, (line) => joinKey(model(line), kindOfPrice(line))),
    byProvider: groupBy(listed, (line) => joinKey(line.provider, kindOfPrice(line))),
  }
}

function rememberedModels() {
  const models = new Map<string, string>()
  return (line: ListedPrice): string => {
    const name = line.canonicalResource ?? line.resource
    const known = models.get(name) ?? modelOf(line, line.canonicalResource)
    models.set(name, known)
    return known
  }
}

/** Returns which published prices speak for or against these: of the same provider, or of the same model elsewhere. */
export function pricesBeside(claims: Iterable<LineIdentity & { canonicalResource?: string }>) {
  const wanted = new Set<string>()
  const model = rememberedModels()
  for (const claim of claims) {
    wanted.add(joinKey('provider', claim.provider, kindOfPrice(claim)))
    wanted.add(joinKey('model', modelOf(claim, claim.canonicalResource), kindOfPrice(claim)))
  }
  return (line: ListedPrice): boolean =>
    wanted.has(joinKey('provider', line.provider, kindOfPrice(line))) ||
    wanted.has(joinKey('model', model(line), kindOfPrice(line)))
}

const modelOf = ({ resource }: LineIdentity, canonicalResource?: string) => core(canonicalResource ?? resource)

const kindOfPrice = ({ dimension, unit, currency, pricingTier }: LineIdentity) =>
  joinKey(dimension, unit, currency, pricingTier)

/** A spot price follows demand: many change at once, to and fro. That alone is not a reason to hold it. */
export const isSpot = ({ pricingTier }: { pricingTier: string }): boolean => pricingTier.includes('"service":"spot"')

/** Returns what is known about the price of a line. */
export function evidenceOf(
  { key, line, known, kind, before, after, canonicalResource }: DifferingLine,
  resource: ResourcePrices,
  facts: Facts,
): Evidence {
  const { published } = facts
  const others = facts.others.get(key) ?? []
  const sold = [...published.sellersOf(line, canonicalResource), ...otherSellers(others, line)]
  const ofSellers = pricesOfSellers(sold)
  const sellers = rangeOf(ofSellers)
  const limits = limitsOf(facts.limits, line)
  const comparable = !line.dimension.startsWith('cache_')
  const namedFree = /\bfree\b/i.test(line.resource)
  const sharesOfInput = once(() => published.sharesOfInput(line))
  const shares = once(() => rangeOf(sharesOfInput().flatMap(({ share }) => (share > 0 ? [share] : []))))
  const judge = (price: number, prices: LinePrice[]) => {
    const input = line.dimension === 'input_tokens' ? undefined : nearestInput(line, prices)?.price
    return {
      ...fitOf(price, { limits, sellers, input, shares: input ? shares() : undefined, namedFree, comparable }),
      beside: input ? { price, input } : undefined,
      toInput: input ? price / input : undefined,
    }
  }
  const [was, is] = [
    before === undefined ? undefined : judge(Number(before), resource.before),
    judge(Number(after), resource.after),
  ]
  if (was?.fit === 'plausible' && isChargedElsewhere(Number(before), ofSellers)) was.fit = 'fits'
  const sameShare = was?.beside && is.beside && sameShareAs(was.beside, is.beside, sharesOfInput())
  if (sameShare !== undefined && is.fit === 'plausible') is.fit = 'fits'
  const witnesses = (facts.witnesses.get(key) ?? []).map((witness) => witnessed(witness, after))
  const recent = kind === 'changed' ? facts.recentPrices.get(known!.lineId) : undefined
  return {
    ...(before !== undefined && { before }),
    after,
    ...(was && { fitBefore: was.fit }),
    fitAfter: is.fit,
    ...(is.because && { misfit: is.because }),
    ...(sellers && { sellers }),
    ...(sellers && comparable && isFarFromAll(Number(after), sellers) && { farFromSellers: true as const }),
    ...(before !== undefined && amongMost(line, { before, after }, sold)),
    ...range('provider', published.ofProvider(line)),
    ...(sameShare !== undefined && { sameShareAs: sameShare }),
    ...(Number.isFinite(limits.most) && { limits: { least: limits.least, most: limits.most } }),
    ...((was?.toInput || is.toInput) && { toInput: { before: was?.toInput, after: is.toInput } }),
    ...(is.toInput && shares() && { shares: shares() }),
    ...(witnesses.length > 0 && { witnesses }),
    ...(!isSpot(line) && recent?.prices.includes(after) && { returns: true as const }),
    ...(recent?.isFirst && { recentFirstPrice: true as const }),
  }
}

function range(name: 'provider', prices: number[]): { provider?: Range } {
  const found = rangeOf(prices)
  return found ? { [name]: found } : {}
}

const otherSellers = (others: OtherPrice[], { provider }: LineIdentity): SellerPrice[] =>
  others
    .filter((other) => other.provider !== provider)
    .map(({ provider, price }) => ({ provider, price: Number(price) }))

/** One price for each seller: sources that describe the same one are one opinion. */
function pricesOfSellers(prices: { provider: string; price: number }[]): number[] {
  const bySeller = groupBy(prices, ({ provider }) => provider)
  return [...bySeller.values()].map((ofSeller) => rangeOf(ofSeller.map(({ price }) => price))!.median)
}

/** Whether most sellers charge the new price, and whether its provider makes the model. */
function amongMost(
  { provider }: LineIdentity,
  { before, after }: { before: string; after: string },
  sold: SellerPrice[],
): Pick<Evidence, 'priceOfMost' | 'isMaker'> {
  const listed = sold.map(({ provider, price, listed = price }) => ({ provider, price: listed }))
  const sellers = { published: pricesOfSellers(sold), listed: pricesOfSellers(listed) }
  if (!isPriceOfMost(Number(before), Number(after), sellers)) return {}
  return { priceOfMost: true, ...(sold.some(({ maker }) => maker === core(provider)) && { isMaker: true }) }
}

const witnessed = ({ source, price, since, effectiveFrom, proof }: Witness, after: string): WitnessedPrice => ({
  source,
  price,
  agrees: compareDecimals(price, after) === 0,
  since,
  effectiveFrom,
  url: proof?.url,
  confidence: proof?.confidence,
})
