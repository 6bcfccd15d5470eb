import type { PackedPrices } from '../../../api/prices.ts'
import { type Facts, factsOfModels } from '../facts/facts.ts'
import { addMachine, type MachineRow } from '../machines/unpack-machine.ts'
import { priceValue } from '../money.ts'
import { newest, type Price, type Row, type RowName } from './row.ts'
import { isMachine, joinParts } from './row-key.ts'

/** A model. */
export type ModelRow = Row & {
  /** What is sold, which others may sell too. */
  model: { id: number; name: string; group?: string; maker?: string; facts?: Facts }
  /** What is stated of it at this seller. */
  facts?: Facts
  input?: Price
  output?: Price
  cacheRead?: Price
  cacheWrite?: Price
  /** Prices above a number of tokens, the lowest number first. */
  context: { above: string; input?: Price; output?: Price }[]
  /** What the chosen workload costs here; absent where a part of it has no price. */
  cost?: { value: number; shown: string }
  /** What it can be filtered by. */
  abilities: Ability[]
}

export const ABILITIES = ['Caching', 'Long context', 'Audio', 'Images', 'Video', 'Batch', 'Time of day'] as const
export type Ability = (typeof ABILITIES)[number]

/** Returns the rows of both tabs. */
export function unpack(packed: PackedPrices): { models: ModelRow[]; machines: MachineRow[] } {
  const models: ModelRow[] = []
  const machines = new Map<string, MachineRow>()
  const known = modelsOf(packed)
  for (const { provider, resource, source, model, confirmedBy, facts, ...flat } of packed.resources) {
    const named = {
      ...{ provider, seller: packed.providers[provider] ?? provider, resource, source },
      ...(confirmedBy && { confirmedBy }),
    }
    const prices: Price[] = []
    for (const price of pricesOf(packed, flat)) {
      if (isMachine(price.kind.dimension)) addMachine(machines, named, price)
      else prices.push(price)
    }
    if (prices.length === 0) continue
    const row = modelRow(named, prices, known[model]!)
    models.push(facts === undefined ? row : { ...row, facts: packed.facts[facts]! })
  }
  return { models, machines: [...machines.values()] }
}

type Flat = Pick<PackedPrices['resources'][number], 'prices' | 'upcoming'>

function pricesOf({ kinds, instants }: PackedPrices, { prices: flat, upcoming = [] }: Flat): Price[] {
  const prices: Price[] = []
  for (let n = 0; n < flat.length; n += 3) {
    const kind = kinds[flat[n] as number]!
    const price = flat[n + 1] as string
    const next = upcoming.findIndex((one, at) => at % 3 === 0 && one === flat[n])
    prices.push({
      kind,
      price,
      value: priceValue(price, kind.places),
      recordedAt: instants[flat[n + 2] as number]!,
      ...(next >= 0 && { next: { price: upcoming[next + 1] as string, at: instants[upcoming[next + 2] as number]! } }),
    })
  }
  return prices
}

function modelsOf(packed: PackedPrices): ModelRow['model'][] {
  const stated = factsOfModels(packed)
  return packed.models.map(({ maker, ...model }, id) => {
    const facts = stated.get(id)
    return { id, ...model, ...(maker && { maker: packed.providers[maker] ?? maker }), ...(facts && { facts }) }
  })
}

const isStandard = ({ kind }: Price) => Object.keys(kind.tier).length === 0
function modelRow(named: RowName, prices: Price[], model: ModelRow['model']): ModelRow {
  const standard = (dimension: string) =>
    prices.find((price) => price.kind.dimension === dimension && isStandard(price)) ??
    prices.find((price) => price.kind.dimension === dimension && price.kind.tier.context === undefined)
  return {
    key: joinParts([named.provider, named.resource, named.source]),
    ...named,
    model,
    prices,
    input: standard('input_tokens'),
    output: standard('output_tokens'),
    cacheRead: standard('cache_read_tokens'),
    cacheWrite: standard('cache_write_tokens'),
    context: contextTiers(prices),
    abilities: abilitiesOf(prices),
    since: newest(prices),
    text: `${named.resource} ${named.seller} ${named.provider} ${model.name}`.toLowerCase(),
  }
}

function contextTiers(prices: Price[]): ModelRow['context'] {
  const tiers = new Map<string, ModelRow['context'][number]>()
  for (const price of prices) {
    const { dimension, tier } = price.kind
    const { context, ...others } = tier
    if (context === undefined || Object.keys(others).length > 0) continue
    const found = tiers.get(context) ?? { above: context }
    tiers.set(context, found)
    if (dimension === 'input_tokens') found.input = price
    if (dimension === 'output_tokens') found.output = price
  }
  const size = ({ above }: { above: string }) => Number(above.replace(/\D/g, ''))
  return [...tiers.values()].sort((a, b) => size(a) - size(b))
}

function abilitiesOf(prices: Price[]): Ability[] {
  const found = new Set<Ability>()
  for (const { kind } of prices) {
    if (kind.dimension.startsWith('cache_')) found.add('Caching')
    if (kind.dimension.includes('audio')) found.add('Audio')
    if (/image|pixel/.test(kind.dimension)) found.add('Images')
    if (kind.dimension.includes('video')) found.add('Video')
    if (kind.tier.context !== undefined) found.add('Long context')
    if (kind.tier.timeOfDay !== undefined) found.add('Time of day')
    if (kind.tier.service === 'batch') found.add('Batch')
  }
  return ABILITIES.filter((ability) => found.has(ability))
}
