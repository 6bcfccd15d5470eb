import { groupBy } from '../../../../lib/collections.ts'
import type { Series } from '../../../api/prices.ts'
import { rankOf } from '../explorer/kinds.ts'
import { linesOf, type PriceLine } from '../table/lines.ts'
import { isMachine, isOf } from '../table/row-key.ts'

/** What can be compared in a column: prices of one dimension and unit, on demand or on the spot market. */
export type OfferColumn = {
  key: string
  dimension: string
  isMachine: boolean
  isSpot: boolean
  currency: string
  per: string
}

/** What a seller asks for a resource; of a machine, in one place. */
export type Offer = {
  key: string
  provider: string
  resource: string
  /** The conditions of a machine's price: its region and what else it depends on. */
  place: Record<string, string>
  /** Where two offers differ in nothing else. */
  source?: string
  lines: PriceLine[]
  /** The price of each column. */
  prices: (PriceLine | undefined)[]
  /** What it is compared by; absent where nothing like it is offered. */
  total?: bigint
  /** What the workload costs there, as it is shown; `place` is 1 for the cheapest. */
  cost?: { shown: string; currency: string; place: number }
  /** Under how many more names the seller sells the same. */
  moreNames?: number
}

export type Offers = {
  /** The cheapest first, then what cannot be compared. */
  offers: Offer[]
  columns: OfferColumn[]
  /** The columns whose sum the order is by; none where no two offers are alike. */
  comparedBy: OfferColumn[]
  /** What has no price: the first parts of rows. */
  unpriced: string[][]
}

const MAX_COLUMNS = 4

/**
 * Returns what is offered, and compares like with like: standard prices of the same dimension, unit and currency, of
 * several sources the newest.
 * @param chosen the first parts of rows; the members of a group where they are absent
 */
export function offersOf(series: Pick<Series, 'members' | 'rows' | 'group'>, chosen?: string[][]): Offers {
  const lines = linesOf(series.rows).filter(({ current }) => current)
  const wanted = chosen ?? series.members.map(({ provider, resource }) => [provider, resource])
  const found = wanted.flatMap((parts) =>
    placesOf(
      lines.filter((line) => isOf(line, parts)),
      parts,
    ),
  )
  const renamed = series.rows.filter(({ resource, listed }) => resource !== listed)
  // What the seller lists under another name now is priced there.
  const isFormer = ([provider, resource]: string[]) =>
    renamed.some((row) => row.provider === provider && row.resource === resource)
  const unpriced = wanted.filter((parts) => !lines.some((line) => isOf(line, parts)) && !isFormer(parts))
  const columns = columnsOf(found.flatMap((offer) => offer.lines))
  const offers: Offer[] = named(found).map((offer) => ({
    ...offer,
    prices: columns.map((column) => priceOf(offer, column)),
  }))
  const comparedBy = basisOf(offers, columns, series.group !== undefined)
  const compared = offers.map((offer) => ({ ...offer, ...totalOf(offer, columns, comparedBy) }))
  return { offers: compared.sort(byTotal), columns, comparedBy, unpriced }
}

type OfferPlace = Omit<Offer, 'prices'> & { parts: string[] }

/** The offers among the lines of one resource: a machine has one in each place. */
function placesOf(lines: PriceLine[], parts: string[]): OfferPlace[] {
  const found = new Map<string, OfferPlace>()
  for (const line of lines) {
    const place = isMachine(line.dimension) ? withoutSpot(line.tier) : {}
    const key = JSON.stringify([parts, Object.entries(place).sort()])
    const { provider, listed: resource } = line
    const offer = found.get(key) ?? { key, provider, resource, place, lines: [], parts }
    found.set(key, offer)
    offer.lines.push(line)
  }
  return [...found.values()]
}

function withoutSpot({ service, ...place }: Record<string, string>): Record<string, string> {
  return service === undefined || service === 'spot' ? place : { ...place, service }
}

/** Names the source of offers that would otherwise be called the same. */
function named(found: OfferPlace[]): Omit<Offer, 'prices'>[] {
  const nameOf = ({ provider, resource, place }: OfferPlace) =>
    JSON.stringify([provider, resource, Object.entries(place).sort()])
  const names = found.map(nameOf)
  return found.map(({ parts, ...offer }, n) => {
    const isTwice = names.indexOf(names[n]!) !== names.lastIndexOf(names[n]!)
    return { ...offer, ...(isTwice && parts[2] !== undefined && { source: parts[2] }) }
  })
}

/** Only standard prices have a column; what a machine costs depends on its place. */
const hasColumn = ({ dimension, tier }: PriceLine) => isMachine(dimension) || Object.keys(tier).length === 0
const isSpot = ({ dimension, tier }: PriceLine) => isMachine(dimension) && tier.service === 'spot'
const columnKey = (line: PriceLine) => JSON.stringify([line.dimension, line.per, isSpot(line)])

function columnsOf(lines: PriceLine[]): OfferColumn[] {
  const columns = [...groupBy(lines.filter(hasColumn), columnKey)].map(([key, own]): OfferColumn => {
    const { dimension, per } = own[0]!
    return {
      key,
      dimension,
      per,
      isMachine: isMachine(dimension),
      isSpot: isSpot(own[0]!),
      currency: mostFrequent(own),
    }
  })
  const order = (a: OfferColumn, b: OfferColumn) =>
    rankOf(a.dimension) - rankOf(b.dimension) || a.key.localeCompare(b.key)
  return columns.sort(order).slice(0, MAX_COLUMNS)
}

function mostFrequent(lines: PriceLine[]): string {
  const byCurrency = [...groupBy(lines, ({ currency }) => currency)]
  byCurrency.sort(
    ([a, own], [b, others]) =>
      others.length - own.length || Number(b === 'USD') - Number(a === 'USD') || a.localeCompare(b),
  )
  return byCurrency[0]![0]
}

/** The price of an offer in a column: in the currency of the column if there is one, and the newest. */
function priceOf({ lines }: Pick<Offer, 'lines'>, { key, currency }: OfferColumn): PriceLine | undefined {
  const own = lines.filter((line) => hasColumn(line) && columnKey(line) === key)
  const usual = own.filter((line) => line.currency === currency)
  const since = (line: PriceLine) => line.current!.recordedAt
  return (usual.length > 0 ? usual : own).reduce<PriceLine | undefined>(
    (newest, line) => (newest && since(newest) >= since(line) ? newest : line),
    undefined,
  )
}

/** Input and output together where two offers have both, otherwise the first column that two offers share. */
function basisOf(offers: Offer[], columns: OfferColumn[], isGroup: boolean): OfferColumn[] {
  const both = ['input_tokens', 'output_tokens'].flatMap(
    (dimension) => columns.find((column) => column.dimension === dimension) ?? [],
  )
  const candidates = [...(both.length === 2 ? [both] : []), ...columns.map((column) => [column])]
  const isBasis = (basis: OfferColumn[]) => {
    const alike = offers.filter((offer) => totalOf(offer, columns, basis).total !== undefined)
    // Machines of two names are two things, unless someone put them into a group.
    const isOneThing = isGroup || !basis[0]!.isMachine || new Set(alike.map(({ resource }) => resource)).size === 1
    return alike.length > 1 && isOneThing
  }
  return candidates.find(isBasis) ?? []
}

/** What a machine costs may depend on where it is; on more than that, it is another offer. */
const isStandard = ({ place }: Offer) => Object.keys(place).every((name) => name === 'region' || name === 'instance')

function totalOf(offer: Offer, columns: OfferColumn[], basis: OfferColumn[]): { total?: bigint } {
  if (basis.length === 0 || !isStandard(offer)) return {}
  let total = 0n
  for (const column of basis) {
    const line = offer.prices[columns.indexOf(column)]
    if (line?.currency !== column.currency) return {}
    total += exact(line.current!.price, line.places)
  }
  return { total }
}

/** More decimals than a price has. */
const SCALE = 100

/** Returns `price × 10^places` as a whole number that sums and compares exactly. */
function exact(price: string, places: number): bigint {
  const [whole = '', fraction = ''] = price.split('.')
  return BigInt(whole + fraction.padEnd(SCALE, '0')) * 10n ** BigInt(places)
}

const byTotal = ({ total: a }: Offer, { total: b }: Offer): number =>
  a === undefined || b === undefined ? Number(a === undefined) - Number(b === undefined) : a < b ? -1 : Number(a > b)
