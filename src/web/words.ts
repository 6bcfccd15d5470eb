/** The words of a search, in small letters. */
export const wordsOf = (q: string): string[] => q.toLowerCase().split(/\s+/).filter(Boolean)

/** Whether a text has every word of a search, in capitals or not. */
export const hasWords = (text: string, q: string): boolean =>
  wordsOf(q).every((word) => text.toLowerCase().includes(word))
