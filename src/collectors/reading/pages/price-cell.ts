import { plainText } from '../tables/text.ts'
import { type Conditions, takeConditions } from './conditions.ts'
import { type Per, takeUnit } from './per.ts'

/** One price of a cell. */
export type CellPrice = {
  /** As written, without the dollar sign. */
  amount: string
  /** What the cell itself says it is for. */
  per?: Per
  /** Text, images … as the cell says; none for all. */
  modalities: Modality[]
  conditions: Conditions
}
export type Modality = 'text' | 'image' | 'video' | 'audio'

/** No cell of prices is longer. */
export const MAX_CHARACTERS = 2_000
const NONE = /^(?:[-–—\\/]*|n\/a|not (?:available|supported)|none)$/i
const FREE = /^(?:limited-time )?free(?: of charge)?$/i
/** Thousands have three digits: `1,5` is not a number. */
const AMOUNT = /^ ?((?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?![\d,.]*\d)/
const MODALITIES: [RegExp, Modality | undefined][] = [
  [/^texts?$/, 'text'],
  [/^images?$/, 'image'],
  [/^videos?$/, 'video'],
  [/^audios?$/, 'audio'],
  // A part of what is named beside it, or of what the row is about.
  [/^(?:thinking|input caching|default)$/, undefined],
]
/** Words that say of the price before them that it is what is charged, or of the next one that it repeats it. */
const LABELS = /\b(?:sale price|list price|price):|\bsame as standard, [a-z]{1,12} pricing not yet implemented\b/gi
const SAME_AGAIN = /(?:\bor|\bequivalent to|\()$/i
const LEFT_OVER = /^(?:[\s,.;()*†‡]|\band\b|\bor\b|\bequivalent to\b)*$/i

/**
 * The prices of a cell: none, one, or several with what tells them apart. Undefined when a word of it is unknown. An
 * amount in another unit that repeats a price (`$3.00 or $0.005/min`, `equivalent to $0.04 per image`) is left out.
 */
export function pricesOf(text: string): CellPrice[] | undefined {
  const plain = plainText(text).replace(LABELS, ' ').replace(/\s+/g, ' ').trim()
  if (plain.length > MAX_CHARACTERS) return undefined
  if (NONE.test(plain.replace(/\*+$/, ''))) return []
  if (FREE.test(plain.replace(/\*+$/, ''))) return [{ amount: '0', modalities: [], conditions: {} }]
  const [lead, ...parts] = plain.split('$')
  if (lead!.trim() !== '' || parts.length === 0) return undefined
  const prices: CellPrice[] = []
  let [marked, repeats] = [false, false]
  for (const part of parts) {
    const price = priceOf(part)
    if (!price) return undefined
    const last = prices.at(-1)
    // `$0.067 per 1K image, $0.101 per 2K image` goes on in the unit that was repeated in.
    repeats = last !== undefined && (marked || (repeats && price.per !== undefined && !/^token/.test(price.per.unit)))
    if (!repeats) prices.push(price)
    else if (last!.modalities.length === 0) last!.modalities = price.modalities
    marked = SAME_AGAIN.test(part.trim())
  }
  return prices
}

/** Whether a cell says that there is no price. */
export const holdsNone = (text: string): boolean => pricesOf(text)?.length === 0

/** The number behind a dollar sign, as written, and the words behind it. */
export function takeAmount(part: string): { amount: string; rest: string } | undefined {
  const [matched, amount] = AMOUNT.exec(part) ?? []
  return amount === undefined ? undefined : { amount, rest: part.slice(matched!.length) }
}

function priceOf(part: string): CellPrice | undefined {
  const found = takeAmount(part)
  if (!found) return undefined
  const unit = takeUnit(found.rest)
  if (!unit) return undefined
  const taken = takeConditions(unit.rest)
  if (!taken) return undefined
  const modalities: Modality[] = []
  const rest = taken.rest.replace(/\(([^()]*)\)/g, (all, inside: string) => {
    const found = modalitiesOf(inside)
    if (!found) return inside.trim() === '' ? ' ' : all
    modalities.push(...found)
    return ' '
  })
  if (!LEFT_OVER.test(rest)) return undefined
  return {
    amount: found.amount.replaceAll(',', ''),
    ...(unit.per && { per: unit.per }),
    modalities,
    conditions: taken.conditions,
  }
}

function modalitiesOf(text: string): Modality[] | undefined {
  const words = text
    .toLowerCase()
    .split(/\s*(?:[/,]|\band\b)\s*/)
    .map((word) => word.trim())
  const known = words.map((word) => MODALITIES.find(([pattern]) => pattern.test(word)))
  if (words.length === 0 || known.some((item) => item === undefined)) return undefined
  return known.flatMap((item) => item![1] ?? [])
}
