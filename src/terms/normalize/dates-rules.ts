import { DATE_LABEL, EFFECTIVE, MONTHS, NAMES_DOCUMENT, UPDATED } from '../language/dates-rules.ts'
import { wordsOf } from './words-rules.ts'

const month = `(?:${Object.keys(MONTHS)
  .sort((a, b) => b.length - a.length)
  .join('|')})\\.?`
const ordinal = '(?:st|nd|rd|th|er|\\.|º)?'
/** One alternative per way of writing a day; numbers are in named groups. */
const DATE = new RegExp(
  [
    `(?<m1>${month})\\s{0,2}(?<d1>\\d{1,2})${ordinal},?\\s{1,2}(?<y1>(?:19|20)\\d{2})`,
    `(?<d2>\\d{1,2})${ordinal}\\s{0,2}(?:of |de |di )?(?<m2>${month}),?\\s{0,2}(?:of |de |del )?(?<y2>(?:19|20)\\d{2})`,
    `(?<y3>(?:19|20)\\d{2})[-/.](?<n3>\\d{1,2})[-/.](?<d3>\\d{1,2})`,
    `(?<a4>\\d{1,2})(?<s4>[/.-])(?<b4>\\d{1,2})[/.-](?<y4>(?:19|20)\\d{2})`,
    `(?<y5>(?:19|20)\\d{2})\\s?年\\s?(?<n5>\\d{1,2})\\s?月\\s?(?<d5>\\d{1,2})\\s?日`,
    `(?<m6>${month})(?:\\s{1,2}|-)(?<y6>(?:19|20)\\d{2})`,
  ]
    // "8 July 2026Previous version": a link may follow a year without a space.
    .map((form, i) => `(?<![\\p{L}\\p{N}])${form}(?![${i < 2 ? '' : '\\p{L}'}\\p{N}])`)
    .join('|')
    // "UpdatedJanuary 10, 2024": a month may follow a label without a space.
    .replace('(?<![\\p{L}\\p{N}])(?<m1>', '(?<![\\p{N}])(?<m1>'),
  'giu',
)

const YEAR = /(?:19|20)\d{2}/

/** The dates of a text, as they are written. */
export const datesIn = (text: string): string[] => (YEAR.test(text) ? (text.match(DATE) ?? []) : [])

/** The text without any date, for comparing what is left. */
export const withoutDates = (text: string): string => text.replace(DATE, ' ')

/** Every date that names one day in the same writing: `3 March 2025` and `March 3rd, 2025` are one word. */
export const withCanonicalDates = (text: string): string =>
  YEAR.test(text)
    ? text.replace(DATE, (...args) => {
        const day = dayOf(args.at(-1) as Groups)
        return day ? ` date${day.replaceAll('-', '')} ` : (args[0] as string)
      })
    : text

export const hasDate = (text: string): boolean => YEAR.test(text) && text.search(DATE) >= 0

/** The time of day, which may stand beside a date. */
const TIME = /^(?:\d{1,2}:\d{2}(?::\d{2})?|[apm]|[ap]m|gmt|utc|ces?t|[ep][sd]t)$/u

export const wordsBesideDate = (text: string): string[] => wordsOf(withoutDates(text).toLowerCase())

/**
 * Whether a text says a date, with its label or its time, and nothing else: `Last updated: 4 May 2025`, `This policy was
 * published on 8 June 2026 with an effective date of 8 July 2026.`
 */
export const saysOnlyDate = (text: string): boolean =>
  hasDate(text) && wordsBesideDate(text).every((word) => BESIDE_DATE.some((pattern) => pattern.test(word)))
const BESIDE_DATE = [DATE_LABEL, NAMES_DOCUMENT, TIME]

/** The first day that a text names by its month, and whether the month is written first. */
export function firstNamedDay(text: string): { day: string; isMonthFirst: boolean } | undefined {
  for (const { groups = {} } of text.matchAll(DATE)) {
    const stated = groups.y1 || groups.y2 ? dayOf(groups) : undefined
    if (stated) return { day: stated, isMonthFirst: groups.y1 !== undefined }
  }
  return undefined
}

type Groups = Record<string, string | undefined>

/** The day a match names, as `YYYY-MM-DD`; undefined when it names none (31 February, or 03/04 of either order). */
function dayOf(g: Groups): string | undefined {
  const named = (text: string | undefined) => MONTHS[(text ?? '').toLowerCase().replace('.', '')]
  if (g.y1) return day(g.y1, named(g.m1), g.d1)
  if (g.y2) return day(g.y2, named(g.m2), g.d2)
  if (g.y3) return day(g.y3, Number(g.n3), g.d3)
  if (g.y5) return day(g.y5, Number(g.n5), g.d5)
  if (!g.y4) return undefined
  const [a, b] = [Number(g.a4), Number(g.b4)]
  // With dots the day is first. With slashes that depends on the country: only where one reading is left.
  if (g.s4 === '.' || a > 12 || a === b) return day(g.y4, b, g.a4)
  if (b > 12) return day(g.y4, a, g.b4)
  return undefined
}

/** The days that each date of a text may name: two where countries read it differently, and a month where it names no day. */
export const daysIn = (text: string): string[][] =>
  [...text.matchAll(DATE)].map(({ groups: g = {} }) => {
    const stated = dayOf(g)
    if (stated) return [stated]
    if (g.y6) return [`${g.y6} ${MONTHS[g.m6!.toLowerCase().replace('.', '')]}`]
    return [day(g.y4 ?? '', Number(g.a4), g.b4), day(g.y4 ?? '', Number(g.b4), g.a4)].filter((one) => one !== undefined)
  })

function day(year: string, month: number | undefined, date: string | undefined): string | undefined {
  const d = Number(date)
  if (!month || month > 12 || d < 1 || d > new Date(Date.UTC(Number(year), month, 0)).getUTCDate()) return undefined
  return `${year}-${String(month).padStart(2, '0')}-${String(d).padStart(2, '0')}`
}

/** How far into a document its dates are looked for, and at its end. */
const HEAD = 4_000
const TAIL = 1_500

/** The day a document says it takes effect, and the day it says it was last changed, where it says so. */
export function statedDates(markdown: string): { effective?: string; updated?: string } {
  const text = markdown.replace(/[*_\\]/g, '')
  const places = text.length > HEAD + TAIL ? [text.slice(0, HEAD), text.slice(-TAIL)] : [text]
  const found: { effective?: string; updated?: string } = {}
  for (const place of places) {
    for (const match of place.matchAll(DATE)) {
      const stated = dayOf(match.groups ?? {})
      if (!stated) continue
      const before = place.slice(Math.max(0, match.index - 80), match.index)
      const line = before.slice(before.lastIndexOf('\n\n') + 1)
      if (EFFECTIVE.test(line)) found.effective ??= stated
      else if (UPDATED.test(line)) found.updated ??= stated
    }
  }
  return found
}
