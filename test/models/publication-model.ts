/**
 * What the specification says of rows, their statuses and events, and docs/prices.md of which changes are held: of
 * resources with one price line each, read once a day.
 */

/** A row is served from `from` until `until`, both in days. */
type Period = { from: number; until?: number; status: 'auto_approved' | 'approved' }
export type ModelRow = {
  resource: string
  price: number
  recordedAt: number
  periods: Period[]
  /** Withdrawn by a person, or removed with its line. */
  ended?: 'withdrawn' | 'removed'
}
export type ModelResource = {
  name: string
  /** What its source lists; absent while it does not list the resource. */
  listed?: number
  /** The price about which a person decided last: while there is one, no refused price has an effect. */
  refused?: number
  rejected: { price: number; recordedAt: number }[]
  rows: ModelRow[]
  /** A doubtful price that waits, since a day, and how many fetches showed it. */
  held?: { price: number; since: number; fetches: number }
  missing?: { since: number; fetches: number }
  isRemoved: boolean
}
/** An event as the test compares it: its type, its resource, and prices before and after. */
export type ModelEvent = { type: string; resource: string; from?: number; to?: number }

const newest = (rows: ModelRow[]): ModelRow | undefined =>
  rows.reduce<ModelRow | undefined>((best, row) => (best && best.recordedAt > row.recordedAt ? best : row), undefined)

const isServed = ({ periods }: ModelRow): boolean => periods.length > 0 && periods.at(-1)!.until === undefined

export const servedRows = ({ rows }: ModelResource): ModelRow[] => rows.filter(isServed)

/** "a price line's current price is its row with the newest recordedAt" */
export const current = (resource: ModelResource): ModelRow | undefined => newest(servedRows(resource))

/** "A row is in the answer at asOf when it was published at that instant … approvalStatus is the status at asOf." */
export function rowsAt(resources: ModelResource[], day: number) {
  return resources.flatMap(({ rows }) =>
    rows.flatMap(({ resource, price, recordedAt, periods }) => {
      const period = periods.find(({ from, until = Number.POSITIVE_INFINITY }) => from <= day && day < until)
      return period ? [{ resource, price, recordedAt, approvalStatus: period.status }] : []
    }),
  )
}

/** "`large_change` … more than 3 times": held until it has stood for 24 hours and three good fetches. */
const isLarge = (from: number, to: number): boolean => Math.max(from / to, to / from) > 3

/** One good fetch of the source, a day after the one before it. Returns the events. */
export function fetched(resource: ModelResource, day: number): ModelEvent[] {
  if (resource.listed === undefined) return absent(resource, day)
  const wasRemoved = resource.isRemoved
  resource.missing = undefined
  if (wasRemoved) return listedAgain(resource, day)
  const price = resource.listed
  const before = current(resource)
  if (price === before?.price) {
    resource.held = undefined
    return []
  }
  if (isRefused(resource, price)) return []
  resource.refused = undefined
  if (before && isLarge(before.price, price) && !isFirstPrice(resource, before, day)) {
    const { held } = resource
    resource.held = held?.price === price ? held : { price, since: day, fetches: 0 }
    resource.held.fetches++
    if (resource.held.fetches < 3 || day - resource.held.since < 1) return []
  }
  return publishRow(resource, price, resource.held?.price === price ? resource.held.since : day, day, 'auto_approved')
}

/** "A price that a person rejected, edited or withdrew has no effect until another one is published for its line." */
const isRefused = (resource: ModelResource, price: number): boolean =>
  resource.refused !== undefined &&
  (price === resource.refused || refusedSince(resource, current(resource)).some((refused) => refused.price === price))

const refusedSince = ({ rows, rejected }: ModelResource, row?: ModelRow): { price: number; recordedAt: number }[] =>
  [...rows.filter(({ ended }) => ended === 'withdrawn'), ...rejected]
    .filter(({ recordedAt }) => !row || recordedAt > row.recordedAt)
    .sort((a, b) => b.recordedAt - a.recordedAt)

/** "a first price of the last 7 days is corrected at once": a withdrawn one before it does not count. */
const isFirstPrice = ({ rows }: ModelResource, row: ModelRow, day: number): boolean =>
  day - row.recordedAt < 7 &&
  !rows.some(({ recordedAt, ended }) => recordedAt < row.recordedAt && ended !== 'withdrawn')

function publishRow(
  resource: ModelResource,
  price: number,
  recordedAt: number,
  day: number,
  status: Period['status'],
): ModelEvent[] {
  const before = current(resource)
  const isFirst = resource.rows.length === 0
  resource.held = undefined
  resource.rows.push({ resource: resource.name, price, recordedAt, periods: [{ from: day, status }] })
  if (isFirst) return [{ type: 'resource.added', resource: resource.name, to: price }]
  return [{ type: 'price.changed', resource: resource.name, from: before?.price, to: price }]
}

/** "a resource is missing from 3 good fetches over at least three days" */
function absent(resource: ModelResource, day: number): ModelEvent[] {
  resource.held = undefined
  if (resource.isRemoved || resource.rows.length === 0) return []
  resource.missing ??= { since: day, fetches: 0 }
  resource.missing.fetches++
  if (resource.missing.fetches < 3 || day - resource.missing.since < 3) return []
  resource.isRemoved = true
  resource.missing = undefined
  const last = current(resource)
  for (const row of servedRows(resource)) endRow(row, day, 'removed')
  return [{ type: 'resource.removed', resource: resource.name, from: last?.price }]
}

/** "`approved → removed`, and back to the earlier status when the source lists the resource again" */
function listedAgain(resource: ModelResource, day: number): ModelEvent[] {
  resource.isRemoved = false
  for (const row of resource.rows) {
    if (row.ended !== 'removed') continue
    row.ended = undefined
    row.periods.push({ from: day, status: row.periods.at(-1)!.status })
  }
  return [{ type: 'price.corrected', resource: resource.name, to: current(resource)?.price }]
}

function endRow(row: ModelRow, day: number, ended: 'withdrawn' | 'removed'): void {
  row.periods.at(-1)!.until = day
  row.ended = ended
}

/** "a published price was withdrawn as wrong": the earlier row is the price again. */
export function withdraw(resource: ModelResource, row: ModelRow, day: number): ModelEvent[] {
  const before = current(resource)
  endRow(row, day, 'withdrawn')
  if (row === before) resource.refused = row.price
  return [{ type: 'price.corrected', resource: resource.name, from: before?.price, to: current(resource)?.price }]
}

/** "or a withdrawn price was restored" */
export function restore(resource: ModelResource, row: ModelRow, day: number): ModelEvent[] {
  const before = current(resource)
  row.ended = undefined
  row.periods.push({ from: day, status: 'approved' })
  const { refused = row.price } = resource
  resource.refused = refused === row.price ? refusedSince(resource, current(resource))[0]?.price : refused
  return [{ type: 'price.corrected', resource: resource.name, from: before?.price, to: current(resource)?.price }]
}

export const approve = (resource: ModelResource, day: number): ModelEvent[] =>
  publishRow(resource, resource.held!.price, resource.held!.since, day, 'approved')

export function reject(resource: ModelResource): void {
  const { price, since } = resource.held!
  resource.rejected.push({ price, recordedAt: since })
  resource.refused = price
  resource.held = undefined
}
