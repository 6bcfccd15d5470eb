import type { Ability } from './unpack.ts'

type Searchable = { text: string; provider: string; abilities?: Ability[] }
export type Filter = { q?: string; providers?: string[]; abilities?: string[] }

/** Returns the rows that have every word that was typed, and what was chosen. Their order stays. */
export function filtered<Row extends Searchable>(
  rows: Row[],
  { q = '', providers = [], abilities = [] }: Filter,
): Row[] {
  const words = wordsOf(q)
  if (words.length + providers.length + abilities.length === 0) return rows
  const wanted = new Set(providers)
  return rows.filter(
    (row) =>
      words.every((word) => row.text.includes(word)) &&
      (wanted.size === 0 || wanted.has(row.provider)) &&
      abilities.every((ability) => row.abilities?.includes(ability as Ability)),
  )
}

/** The words of a search, in small letters. */
export const wordsOf = (q: string): string[] => q.toLowerCase().split(/\s+/).filter(Boolean)
