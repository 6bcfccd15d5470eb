import { type Instant, parseInstant } from '../../../lib/instant.ts'

/** On which terms a price holds, as a note beside it says. */
export type Conditions = {
  /** More tokens than these in a request; absent for the base price. */
  above?: number
  /** Up to this many tokens: the base price. */
  upTo?: number
  /** The first day, and the last. */
  from?: string
  until?: string
}

const MONTHS = [
  'january', 'february', 'march', 'april', 'may', 'june', 'july', 'august', 'september', 'october', 'november', 'december',
] // biome-ignore format: one thing after another
const DATE = String.raw`([A-Z][a-z]{2,8}) (\d{1,2}), (\d{4})`
const UNTIL = new RegExp(String.raw`\b(?:through|until) ${DATE}`)
const FROM = new RegExp(String.raw`\b(?:starting|starts|from|effective) ${DATE}`)
const CONTEXT =
  /(?:\b(?:for )?(?:prompts?|requests?|long context|short context) )?(<=|≤|<|>=|≥|>|\bup to\b|\bover\b|\babove\b) ?(\d[\d,]{0,11}(?:\.\d+)?)(?: ?([kKmM])\b)?(?: (?:input|prompt))?(?: (?:tokens?|context length))?/

/** Takes the conditions out of a text; what is left is the caller's to know. Undefined for a day that does not exist. */
export function takeConditions(text: string): { conditions: Conditions; rest: string } | undefined {
  const conditions: Conditions = {}
  let rest = text
  for (const [key, pattern] of [
    ['until', UNTIL],
    ['from', FROM],
  ] as const) {
    const found = pattern.exec(rest)
    if (!found) continue
    const day = dayOf(found)
    if (!day) return undefined
    conditions[key] = day
    rest = rest.replace(found[0], ' ')
  }
  const found = CONTEXT.exec(rest)
  if (found) {
    const [all, sign, digits, unit] = found
    const tokens = tokensOf(digits, unit)
    if (tokens === undefined) return undefined
    if (sign === '>' || sign === 'over' || sign === 'above') conditions.above = tokens
    else if (sign === '>=' || sign === '≥') conditions.above = tokens - 1
    else conditions.upTo = tokens
    rest = rest.replace(all, ' ')
  }
  return { conditions, rest }
}

const SIZE = '\\d[\\d.,]{0,11}'
const BAND = new RegExp(
  `^(?:(?<from>${SIZE}) ?(?<unit>[km]?) ?(?<sign><|≤|<=) ?)?(?:input )?tokens?(?: ?(?:<|≤|<=) ?(?<to>${SIZE}) ?(?<last>[km]?))?$`,
  'i',
)
const BEYOND = new RegExp(`^(?:input )?tokens? ?(?<sign>>|≥|>=) ?(?<from>${SIZE}) ?(?<unit>[km]?)$`, 'i')

/** The requests that `32K<Token≤128K` means, where K is a thousand; undefined for anything else. */
export function requestSizeOf(text: string): Conditions | undefined {
  const plain = text.trim()
  if (/^(?:no tiered pricing|-)?$/i.test(plain)) return {}
  const { from, unit, sign, to, last } = (BAND.exec(plain) ?? BEYOND.exec(plain))?.groups ?? {}
  const [above, upTo] = [tokensOf(from, unit), tokensOf(to, last)]
  if (above) return { above: sign === '<' || sign === '>' ? above : above - 1 }
  return upTo ? { upTo } : undefined
}

function tokensOf(digits: string | undefined, unit = ''): number | undefined {
  const tokens = Number(digits?.replaceAll(',', '')) * (/k/i.test(unit) ? 1_000 : unit ? 1_000_000 : 1)
  return Number.isSafeInteger(tokens) ? tokens : undefined
}

function dayOf([, name, day, year]: RegExpExecArray): string | undefined {
  const month = MONTHS.findIndex((known) => known === name!.toLowerCase() || known.slice(0, 3) === name!.toLowerCase())
  const text = `${year}-${String(month + 1).padStart(2, '0')}-${day!.padStart(2, '0')}`
  return month >= 0 && startOf(text)?.startsWith(text) ? text : undefined
}

/** When a day begins: the pages name no zone, so days are those of UTC. */
export const startOf = (day: string): Instant | undefined => parseInstant(`${day}T00:00:00Z`)

/** Whether a price holds at an instant, has ended, or begins later. */
export function whenOf({ from, until }: Conditions, at: Instant): 'now' | 'past' | 'later' {
  if (until !== undefined && startOf(until)!.slice(0, 10) < at.slice(0, 10)) return 'past'
  return from !== undefined && startOf(from)! > at ? 'later' : 'now'
}

/** The conditions of a row and of a cell in it together; undefined when they contradict each other. */
export function joined(row: Conditions, cell: Conditions): Conditions | undefined {
  for (const key of ['above', 'upTo', 'from', 'until'] as const)
    if (row[key] !== undefined && cell[key] !== undefined && row[key] !== cell[key]) return undefined
  return { ...row, ...cell }
}
