import { newest, type Price, type Row, type RowName } from '../table/row.ts'
import { joinParts, rowParts } from '../table/row-key.ts'
import { type Hour, hoursOf } from './hours.ts'

/** A machine, or a part of one, at a seller in a region. */
export type MachineRow = Row & {
  gpu: string
  machine: string
  /** GPUs of the machine; one where a GPU is sold alone. */
  gpus?: number
  region: string
  /** What its price depends on beside the region: reserved for a year, Windows. */
  conditions: string
  /** By the hour: the machine, each of its GPUs, and the machine on the spot market. */
  hourly?: Hour
  perGpu?: Hour
  spot?: Hour
}

/** Prices on demand and on the spot market stand beside each other. */
export function addMachine(rows: Map<string, MachineRow>, named: RowName & Pick<Row, 'confirmedBy'>, price: Price) {
  const { dimension, tier, gpus, gpu: inMachine = '' } = price.kind
  const { service, region = '', instance = '', ...others } = tier
  const isSpot = service === 'spot'
  const key = joinParts(rowParts(named, { dimension, tier }))
  const isGpu = dimension === 'gpu_hours'
  const [gpu, machine] = isGpu ? [named.resource, instance] : [inMachine, named.resource]
  const text = `${gpu} ${named.resource} ${instance} ${region} ${named.seller} ${named.provider}`.toLowerCase()
  const conditions = [...(service && !isSpot ? [service] : []), ...Object.values(others)].join(', ')
  const row = rows.get(key) ?? { key, ...named, prices: [], gpu, machine, region, conditions, since: '', text }
  rows.set(key, row)
  row.prices.push(price)
  row.since = newest(row.prices)
  if (gpus !== undefined) row.gpus = gpus
  else if (isGpu) row.gpus ??= 1
  if (gpu) row.gpu = gpu
  setHours(row)
}

function setHours(row: MachineRow) {
  for (const price of row.prices) {
    const { ofMachine, ofGpu } = hoursOf(price, row.gpus)
    if (price.kind.tier.service === 'spot') Object.assign(row, { spot: ofMachine })
    else Object.assign(row, { hourly: ofMachine }, ofGpu && { perGpu: ofGpu })
  }
}

/** Whether a row is a machine with its GPUs, or a GPU, and not a part that is sold beside it. */
export const isWhole = ({ gpu, prices: [first] }: MachineRow): boolean =>
  gpu !== '' && /^(gpu|instance)_hours$/.test(first!.kind.dimension)
