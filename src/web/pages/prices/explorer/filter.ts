import { wordsOf } from '../../../words.ts'
import type { Ability } from '../table/unpack.ts'

type StatedFacts = { facts?: { context?: number | undefined } }
type Searchable = StatedFacts & { text: string; provider: string; abilities?: Ability[]; model?: StatedFacts }
/** `context`: the least number of tokens that a model takes. */
export type Filter = {
  q?: string
  providers?: string[] | undefined
  abilities?: string[] | undefined
  context?: number
}

/** Returns the rows that have every word that was typed, and what was chosen. Their order stays. */
export function filtered<Row extends Searchable>(
  rows: Row[],
  { q = '', providers = [], abilities = [], context = 0 }: Filter,
): Row[] {
  const words = wordsOf(q)
  if (words.length + providers.length + abilities.length + context === 0) return rows
  const wanted = new Set(providers)
  return rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (wanted.size === 0 || wanted.has(row.provider)) &&
      (context === 0 || contextOf(row) >= context) &&
      abilities.every((ability) => row.abilities?.includes(ability as Ability)),
  )
}

/** What a seller states; where it states nothing, what is stated of the model. */
const contextOf = ({ facts, model }: Searchable): number => facts?.context ?? model?.facts?.context ?? 0
