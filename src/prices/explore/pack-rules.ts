import type { ModelOf } from '../../aliases/group-rules.ts'
import type { Fact, StatedFact } from '../../catalog/facts/fact-schema.ts'
import { canonicalJson, type Json } from '../../lib/canonical-json.ts'
import { joinKey } from '../../lib/collections.ts'
import { type ShownUnit, shownUnit } from '../../lib/text/price-text.ts'
import type { ConfirmedBy, PublishedRow } from '../history/history-rules.ts'

/** What the prices of many resources have in common. */
type PriceKind = ShownUnit & {
  dimension: string
  unit: string
  currency: string
  tier: Record<string, string>
  /** The GPU of the machine, and how many of them it has. */
  gpu?: string
  gpus?: number
}

/** Prices of many resources in few bytes: what repeats is listed once and named by its index. */
export type PackedPrices = {
  kinds: PriceKind[]
  /** When rows were recorded. */
  instants: string[]
  /** What is sold, at one seller or several. */
  models: PackedModel[]
  /** What is stated of resources beside their prices. */
  facts: PackedFacts[]
  resources: PackedResource[]
}

/** One resource of one source, its model, and its prices: kind, price, instant, and so on. */
type PackedResource = {
  provider: string
  resource: string
  source: string
  model: number
  prices: (number | string)[]
  /** Index into facts. */
  facts?: number
  /** Who confirmed every one of its prices. */
  confirmedBy?: ConfirmedBy
  /** Prices that are announced: kind, price, instant, and so on. */
  upcoming?: (number | string)[]
}

/** Tokens of a request and of an answer, and the day of release. */
type PackedFacts = { context?: number; output?: number; released?: string }

/** A price that is announced for an instant to come. */
type AnnouncedPrice = Pick<Row, 'provider' | 'resource' | 'source' | 'dimension' | 'unit' | 'currency' | 'price'> & {
  tier: Record<string, string>
  beginsAt: string
}
/** A resource of a source, and who confirmed every one of its prices. */
export type ConfirmedResource = { provider: string; resource: string; source: string; by: ConfirmedBy }

/** What is known of resources beside their prices. */
export type Beside = {
  conditions?: Map<string, string>
  known?: ModelOf[]
  facts?: StatedFact[]
  confirmed?: ConfirmedResource[]
  upcoming?: AnnouncedPrice[]
}

/** `group`: its alias group. `maker`: the slug of who makes it. */
type PackedModel = { name: string; group?: string; maker?: string }

type Row = PublishedRow & { pricingTier: Record<string, string> }

/** Puts rows together by their resource. */
export function packPrices(rows: Row[], beside: Beside = {}): PackedPrices {
  const { conditions, known = [], facts: stated = [], confirmed = [], upcoming = [] } = beside
  const kinds = createIndex<PriceKind>()
  const instants = createIndex<string>()
  const models = createIndex<PackedModel>()
  const knownModels = new Map(known.map((model) => [joinKey(model.provider, model.resource), model]))
  const modelAt = (provider: string, resource: string): number => {
    const model = knownModels.get(joinKey(provider, resource))
    if (!model) return models.at(joinKey('own', provider, resource), () => ({ name: resource }))
    const { name, group, canonical } = model
    const maker = canonical?.split('/')[0]
    return models.at(group ?? joinKey('canonical', canonical), () => ({
      name,
      ...(group && { group }),
      ...(maker && { maker }),
    }))
  }
  const facts = packFacts(stated)
  const marks = new Map(confirmed.map((one) => [joinKey(one.provider, one.resource, one.source), one.by]))
  const resources = new Map<string, PackedResource>()
  const kindAt = (kind: Omit<PriceKind, keyof ShownUnit>, gpus: object = {}): number => {
    const { dimension, unit, currency, tier } = kind
    const named = joinKey(dimension, unit, currency, canonicalJson(tier as Json), canonicalJson(gpus as Json))
    return kinds.at(named, () => ({ dimension, unit, currency, tier, ...gpus, ...shownUnit(unit) }))
  }
  for (const row of rows) {
    const { provider, resource, source, dimension, unit, currency, pricingTier: tier } = row
    const key = joinKey(provider, resource, source)
    const [stated, by] = [facts.of.get(joinKey(provider, resource)), marks.get(key)]
    const entry = resources.get(key) ?? {
      ...{ provider, resource, source },
      model: modelAt(provider, resource),
      prices: [],
      ...(stated !== undefined && { facts: stated }),
      ...(by && { confirmedBy: by }),
    }
    resources.set(key, entry)
    entry.prices.push(
      kindAt({ dimension, unit, currency, tier }, gpusOf(conditions?.get(row.contentHash))),
      row.price,
      instants.at(row.recordedAt, () => row.recordedAt),
    )
  }
  for (const { provider, resource, source, price, beginsAt, ...kind } of upcoming) {
    const entry = resources.get(joinKey(provider, resource, source))
    if (!entry) continue
    entry.upcoming ??= []
    entry.upcoming.push(
      kindAt(kind),
      price,
      instants.at(beginsAt, () => beginsAt),
    )
  }
  return {
    kinds: kinds.values,
    instants: instants.values,
    models: models.values,
    facts: facts.values,
    resources: [...resources.values()],
  }
}

const READ: Record<Fact, (value: string) => PackedFacts> = {
  context: (value) => ({ context: Number(value) }),
  output: (value) => ({ output: Number(value) }),
  released: (value) => ({ released: value }),
}

/** Lists what several resources have in common once. */
function packFacts(stated: StatedFact[]): { values: PackedFacts[]; of: Map<string, number> } {
  const byResource = new Map<string, PackedFacts>()
  for (const { provider, resource, fact, value } of stated) {
    const key = joinKey(provider, resource)
    byResource.set(key, { ...byResource.get(key), ...READ[fact](value) })
  }
  const index = createIndex<PackedFacts>()
  const of = new Map([...byResource].map(([key, facts]) => [key, index.at(canonicalJson(facts as Json), () => facts)]))
  return { values: index.values, of }
}

/** Reads what a price says of its machine: `8 × H100`, and `8 on one machine` where it is the price of one GPU. */
function gpusOf(condition = ''): { gpus?: number; gpu?: string } {
  const [, count, gpu] = /^(\d{1,4}) (?:× (.+)|on one machine|GPUs)$/.exec(condition) ?? []
  return { ...(count && { gpus: Number(count) }), ...(gpu && { gpu }) }
}

/** Gives every value a number, by its key. */
function createIndex<T>() {
  const numbers = new Map<string, number>()
  const values: T[] = []
  const at = (key: string, make: () => T): number => {
    const known = numbers.get(key)
    if (known !== undefined) return known
    numbers.set(key, values.length)
    return values.push(make()) - 1
  }
  return { values, at }
}
