import { HOW_TO_TYPE_A_PRICE, typedPrice } from '../../../../../lib/text/price-text.ts'
import type { Decisions, ItemLine } from '../../../../api/operator.ts'

/** What a person typed in place of prices. */
export type Edits = { [contentHash: string]: string }
type TypedEdits = { edits: NonNullable<Decisions['edits']> } | { problem: string }

export const CHANGED = 'The prices of this item changed while you typed. Cancel, and look at them again.'

/** Returns the prices that were typed, or what is wrong with them. */
export function readEdits(typed: Edits, lines: Pick<ItemLine, 'contentHash' | 'unit'>[]): TypedEdits {
  const edits: NonNullable<Decisions['edits']> = []
  for (const [contentHash, text] of Object.entries(typed)) {
    const line = lines.find((known) => known.contentHash === contentHash)
    if (!line) return { problem: CHANGED }
    const price = typedPrice(text, line.unit)
    if (price === undefined) return { problem: `“${text}” is not a price. ${HOW_TO_TYPE_A_PRICE}` }
    edits.push({ contentHash, price })
  }
  return edits.length > 0 ? { edits } : { problem: 'Change a price first.' }
}
