import type { Cell } from '../tables/schema.ts'
import { labelOf, type PriceMeaning, type Several } from './declaration.ts'
import { holdsNone, MAX_CHARACTERS, takeAmount } from './price-cell.ts'

/** A price of a cell that holds several, in a cell of its own; `unread` where the cell is not as it is declared. */
export type SeparatedPrice = { meaning: PriceMeaning; cell: Cell; unread?: true }

const NONE = '-'

/** A cell of several prices as one cell for each; a price that it does not hold is none. */
export function separated(cell: Cell, several: Several): SeparatedPrice[] {
  const text = cell.text.trim()
  const declared = 'inOrder' in several ? several.inOrder : distinct(several.byWords.map(([, meaning]) => meaning))
  const cellOf = (part: string): Cell => ({ ...cell, text: part })
  const [first, ...others] = declared
  const none = (meanings: PriceMeaning[]) => meanings.map((meaning) => ({ meaning, cell: cellOf(NONE) }))
  const unread: SeparatedPrice[] = [{ meaning: first!, cell, unread: true }, ...none(others)]
  if (text.length > MAX_CHARACTERS) return unread
  if ('inOrder' in several) {
    if (!text.includes('$')) return declared.map((meaning) => ({ meaning, cell }))
    const parts = text.split(several.between)
    return parts.length === declared.length
      ? declared.map((meaning, at) => ({ meaning, cell: cellOf(parts[at]!) }))
      : unread
  }
  if (holdsNone(text)) return none(declared)
  const [lead, ...parts] = text.split('$')
  const found = parts.map((part) => byWords(part, several.byWords))
  if (lead!.trim() !== '' || found.includes(undefined)) return unread
  const labels = found.map((one) => keyOf(one!.meaning))
  if (new Set(labels).size < labels.length) return unread
  const rest = declared.filter((meaning) => !labels.includes(keyOf(meaning)))
  return [...found.map((one) => ({ meaning: one!.meaning, cell: cellOf(`$${one!.amount}`) })), ...none(rest)]
}

function byWords(
  part: string,
  declared: [RegExp, PriceMeaning][],
): { meaning: PriceMeaning; amount: string } | undefined {
  const taken = takeAmount(part)
  const words = taken?.rest.trim().toLowerCase() ?? ''
  const meaning = declared.find(([pattern]) => pattern.test(words))?.[1]
  return taken && meaning ? { meaning, amount: taken.amount } : undefined
}

const keyOf = (meaning: PriceMeaning): string =>
  `${labelOf(meaning)} ${meaning.content ?? ''} ${meaning.per?.unit ?? ''}`
const distinct = (meanings: PriceMeaning[]): PriceMeaning[] =>
  meanings.filter((meaning, at) => meanings.findIndex((other) => keyOf(other) === keyOf(meaning)) === at)
