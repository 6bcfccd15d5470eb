import { groupBy } from '../../../../lib/collections.ts'
import type { SeriesRow, UpcomingPrice } from '../../../api/prices.ts'
import { priceValue } from '../money.ts'

/** One price of a resource through time. */
export type PriceLine = Pick<
  SeriesRow,
  'provider' | 'listed' | 'source' | 'dimension' | 'unit' | 'currency' | 'tier' | 'places' | 'per'
> & {
  key: string
  /** From when on it was which row; null from when nothing was served. */
  steps: { at: string; row: SeriesRow | null }[]
  current?: SeriesRow
  previous?: SeriesRow
  /** What is announced for a day to come. */
  upcoming?: UpcomingPrice
}

/**
 * Returns the price lines of rows, each with its row at every instant: the newest of those that were served then. Rows that
 * are withdrawn as wrong by now are left out: they never were the price. A line that is announced has no row yet.
 */
export function linesOf(rows: SeriesRow[], upcoming: UpcomingPrice[] = []): PriceLine[] {
  const announced = new Map(upcoming.map((one) => [keyOf({ ...one, listed: one.resource }), one]))
  const known = [...groupBy(rows, keyOf)].map(([key, found]): PriceLine => {
    const { provider, listed, source, dimension, unit, currency, tier, places, per } = found[0]!
    const steps = stepsOf(found.filter((row) => !isWithdrawn(row)))
    const served = steps.flatMap(({ row }) => (row ? [row] : []))
    const current = steps.at(-1)?.row ?? undefined
    const previous = current && served.filter(({ price }) => price !== current.price).at(-1)
    const line = { provider, listed, source, dimension, unit, currency, tier, places, per }
    const next = announced.get(key)
    announced.delete(key)
    const prices = { ...(current && { current }), ...(previous && { previous }), ...(next && { upcoming: next }) }
    return { key, ...line, steps, ...prices }
  })
  const begin = [...announced].map(([key, next]): PriceLine => {
    const { provider, resource, source, dimension, unit, currency, tier, places, per } = next
    return {
      key,
      provider,
      listed: resource,
      source,
      dimension,
      unit,
      currency,
      tier,
      places,
      per,
      steps: [],
      upcoming: next,
    }
  })
  return [...known, ...begin]
}

type LineParts = Pick<SeriesRow, 'provider' | 'listed' | 'source' | 'dimension' | 'unit' | 'currency' | 'tier'>

const keyOf = ({ provider, listed, source, dimension, unit, currency, tier }: LineParts): string =>
  JSON.stringify([provider, listed, source, dimension, unit, currency, tier])

/** Returns whether a row is withdrawn as wrong at the instant of the page. */
export const isWithdrawn = ({ status }: SeriesRow): boolean => status === 'withdrawn'

function stepsOf(rows: SeriesRow[]): PriceLine['steps'] {
  const instants = rows.flatMap(({ publishedAt, unpublishedAt }) => [
    publishedAt,
    ...(unpublishedAt ? [unpublishedAt] : []),
  ])
  const steps: PriceLine['steps'] = []
  for (const at of [...new Set(instants)].sort()) {
    const served = rows.filter((row) => row.publishedAt <= at && (row.unpublishedAt === null || row.unpublishedAt > at))
    const row = served.reduce<SeriesRow | null>(
      (best, item) => (best && best.recordedAt > item.recordedAt ? best : item),
      null,
    )
    if (row?.contentHash !== steps.at(-1)?.row?.contentHash) steps.push({ at, row })
  }
  return steps
}

export type ChartPoint = { at: number } & Record<string, number | null>

/** Returns the lines as a table of instants, each with the price of every line: what a chart draws. */
export function chartPoints(lines: PriceLine[], asOf: string): ChartPoint[] {
  const instants = [...new Set([...lines.flatMap(({ steps }) => steps.map(({ at }) => at)), asOf])].sort()
  const pointAt = (at: string, isServed: (step: PriceLine['steps'][number]) => boolean): ChartPoint => {
    const point: ChartPoint = { at: Date.parse(at) }
    for (const [n, { steps, places }] of lines.entries()) {
      const row = steps.filter(isServed).at(-1)?.row
      point[`line${n}`] = row ? priceValue(row.price, places) : null
    }
    return point
  }
  return instants.flatMap((at) => {
    const point = pointAt(at, (step) => step.at <= at)
    const before = pointAt(at, (step) => step.at < at)
    // A line that ends here is drawn up to here.
    const ends = lines.some((_, n) => point[`line${n}`] === null && before[`line${n}`] !== null)
    return ends ? [before, point] : [point]
  })
}

/** Returns the row of a line at an instant. */
export const rowAt = (line: PriceLine, at: number): SeriesRow | null =>
  line.steps.filter((step) => Date.parse(step.at) <= at).at(-1)?.row ?? null

/** Returns when the first of the lines began, in milliseconds. */
export const firstStep = (lines: PriceLine[]): number =>
  Math.min(...lines.flatMap(({ steps }) => (steps[0] ? Date.parse(steps[0].at) : [])))
