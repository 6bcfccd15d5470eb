import { spansOf } from './json-span.ts'
import type { Place } from './schema.ts'

/** The largest part of a list that is shown whole. */
const MAX_WHOLE = 1_500
/** What is shown before and after a price whose surroundings are larger. */
const AROUND = 400
const MAX_LINE = 400
const CUT = '…'

/** Returns the place that a JSON Pointer leads to: the outermost entry around it that is short enough to read. */
export function jsonPlace(text: string, locator: string): (Place & { value: string }) | undefined {
  const steps = locator
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'))
  const spans = spansOf(text, steps)
  const value = spans.at(-1)!
  // It leads nowhere: the parser of that time read the list in another way.
  if (spans.length <= steps.length) return undefined
  const holder = spans.at(-2) ?? value
  const whole = spans.find(({ from, end }) => end - from <= MAX_WHOLE)
  const around =
    whole && whole !== value
      ? whole
      : { from: Math.max(holder.from, value.from - AROUND), end: Math.min(holder.end, value.end + AROUND) }
  const shown = cut(text, around, [value.from, Math.min(value.end, value.from + MAX_WHOLE)], holder)
  return { ...shown, value: text.slice(value.start, value.end) }
}

/** Cuts a part out of a text; `within` is where its surroundings begin and end. */
function cut(
  text: string,
  { from, end }: { from: number; end: number },
  mark: [number, number],
  within: { from: number; end: number },
): Place {
  const last = Math.min(end, from + 2 * AROUND + MAX_WHOLE)
  const [before, after] = [from > within.from ? CUT : '', last < within.end ? CUT : '']
  const shift = before.length - from
  return {
    text: before + text.slice(from, last) + after,
    mark: [mark[0] + shift, Math.min(mark[1], last) + shift],
  }
}

/** Returns a line of a table in text, with its headings and the lines beside it. */
export function linePlace(text: string, number: number): Place | undefined {
  const lines = text.split(/\r?\n/)
  const line = lines[number - 1]
  if (line === undefined || line === '') return undefined
  const before = [...new Set([1, number - 1])].filter((n) => n >= 1 && n < number).map((n) => short(lines[n - 1]!))
  const next = lines[number]
  const start = before.reduce((sum, { length }) => sum + length + 1, 0)
  const shown = short(line)
  return {
    text: [...before, shown, ...(next ? [short(next)] : [])].join('\n'),
    mark: [start, start + shown.length],
  }
}

const short = (line: string): string => (line.length > MAX_LINE ? `${line.slice(0, MAX_LINE)}${CUT}` : line)
