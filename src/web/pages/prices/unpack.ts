import type { PackedPrices, PriceKind } from '../../api/prices.ts'
import { priceValue } from './money.ts'
import { isMachine, joinParts, rowParts } from './row-key.ts'

export type Price = { kind: PriceKind; price: string; value: number; recordedAt: string }

/** A resource at a seller, as one source lists it. */
type Row = {
  key: string
  provider: string
  seller: string
  resource: string
  source: string
  prices: Price[]
  since: string
  /** What a search looks into, in small letters. */
  text: string
}

/** A model. */
export type ModelRow = Row & {
  /** What is sold, which others may sell too. */
  model: { id: number; name: string; group?: string; maker?: string }
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

/** A machine, or a part of one, at a seller in a region. */
export type MachineRow = Row & {
  gpu: string
  machine: string
  gpus?: number
  region: string
  hourly?: Price
  spot?: Price
}

/** Returns the rows of both tabs. */
export function unpack(packed: PackedPrices): { models: ModelRow[]; machines: MachineRow[] } {
  const models: ModelRow[] = []
  const machines = new Map<string, MachineRow>()
  for (const { provider, resource, source, model, prices: flat } of packed.resources) {
    const named = { provider, seller: packed.providers[provider] ?? provider, resource, source }
    const prices: Price[] = []
    for (let n = 0; n < flat.length; n += 3) {
      const kind = packed.kinds[flat[n] as number]!
      const price = flat[n + 1] as string
      const found = {
        kind,
        price,
        value: priceValue(price, kind.places),
        recordedAt: packed.instants[flat[n + 2] as number]!,
      }
      if (isMachine(kind.dimension)) addMachine(machines, named, found)
      else prices.push(found)
    }
    if (prices.length > 0) models.push(modelRow(named, prices, modelOf(packed, model)))
  }
  return { models, machines: [...machines.values()] }
}

function modelOf({ models, providers }: PackedPrices, id: number): ModelRow['model'] {
  const { maker, ...model } = models[id]!
  return { id, ...model, ...(maker && { maker: providers[maker] ?? maker }) }
}

type Named = Pick<Row, 'provider' | 'seller' | 'resource' | 'source'>

const isStandard = ({ kind }: Price) => Object.keys(kind.tier).length === 0
const newest = (prices: Price[]) =>
  prices
    .map(({ recordedAt }) => recordedAt)
    .sort()
    .at(-1) ?? ''

function modelRow(named: Named, prices: Price[], model: ModelRow['model']): ModelRow {
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

/** Prices on demand and on the spot market stand beside each other. */
function addMachine(rows: Map<string, MachineRow>, named: Named, price: Price): void {
  const { dimension, tier, gpus, gpu: inMachine = '' } = price.kind
  const { service, region = '', instance = '' } = tier
  const key = joinParts(rowParts(named, { dimension, tier }))
  const isGpu = dimension === 'gpu_hours'
  const [gpu, machine] = isGpu ? [named.resource, instance] : [inMachine, named.resource]
  const text = `${gpu} ${named.resource} ${instance} ${region} ${named.seller} ${named.provider}`.toLowerCase()
  const row = rows.get(key) ?? { key, ...named, prices: [], gpu, machine, region, since: '', text }
  rows.set(key, row)
  row.prices.push(price)
  row.since = newest(row.prices)
  if (gpus !== undefined) row.gpus = gpus
  if (gpu) row.gpu = gpu
  if (service === 'spot') row.spot = price
  else row.hourly = price
}
