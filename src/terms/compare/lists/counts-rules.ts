/** How often each word is there. */
export type Counts = Map<string, number>

export function counted(words: string[]): Counts {
  const found: Counts = new Map()
  for (const word of words) found.set(word, (found.get(word) ?? 0) + 1)
  return found
}

/** Returns the words of which one side has more than the other. */
export const differingWords = (a: Counts, b: Counts): string[] =>
  [...new Set([...a.keys(), ...b.keys()])].filter((word) => a.get(word) !== b.get(word))

export const sameCounts = (a: Counts, b: Counts): boolean => differingWords(a, b).length === 0
