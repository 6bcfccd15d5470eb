import { DAY, HOUR } from '../../../../lib/instant.ts'

const UTC = { timeZone: 'UTC' } as const
const MONTHS = new Intl.DateTimeFormat('en', { month: 'short', year: 'numeric', ...UTC })
const DAYS = new Intl.DateTimeFormat('en', { day: 'numeric', month: 'short', ...UTC })
const TIMES = new Intl.DateTimeFormat('en', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', ...UTC })
/** From this many days on, months are written. */
const MANY_DAYS = 120
const MOST_TICKS = 6
const MONTH_STEPS = [1, 2, 3, 6, 12, 24, 60, 120]
const TIME_STEPS = [1 / 12, 1 / 2, 1, 3, 6, 12, 24, 48, 96, 168, 336, 672].map((hours) => hours * HOUR)

export type TimeAxis = { ticks: number[]; format: Intl.DateTimeFormat }

/** Returns what is written below a chart: round instants between the first and the last, the finer the shorter it is. */
export function timeAxis(first: number, last: number): TimeAxis {
  const days = (last - first) / DAY
  if (days > MANY_DAYS) return { ticks: monthTicks(first, last), format: MONTHS }
  const step = TIME_STEPS.find((size) => (last - first) / size <= MOST_TICKS) ?? TIME_STEPS.at(-1)!
  const start = Math.ceil(first / step) * step
  const ticks = Array.from({ length: Math.floor((last - start) / step) + 1 }, (_, n) => start + n * step)
  return { ticks: ticks.length > 1 ? ticks : [first, last], format: step < DAY ? TIMES : DAYS }
}

function monthTicks(first: number, last: number): number[] {
  const monthOf = (at: number) => new Date(at).getUTCFullYear() * 12 + new Date(at).getUTCMonth()
  const months = monthOf(last) - monthOf(first)
  const step = MONTH_STEPS.find((size) => months / size <= MOST_TICKS) ?? 120
  const start = Math.ceil((monthOf(first) + 1) / step) * step
  return Array.from({ length: Math.max(0, Math.floor((monthOf(last) - start) / step) + 1) }, (_, n) =>
    Date.UTC(Math.floor((start + n * step) / 12), (start + n * step) % 12),
  )
}

const ROUND = [1, 1.2, 1.6, 2, 2.4, 3.2, 4, 6, 8, 10, 12]
const HEADROOM = 1.02
const INTERVALS = 4

/** Returns the marks of a price axis: five round numbers at equal distances, from zero to above the highest price. */
export function priceTicks(most: number): number[] {
  const size = most > 0 ? 10 ** Math.floor(Math.log10(most)) : 1
  const end = (ROUND.find((candidate) => candidate * size >= most * HEADROOM) ?? 10) * size
  return Array.from({ length: INTERVALS + 1 }, (_, n) => Number(((end * n) / INTERVALS).toPrecision(3)))
}
