import { diffArrays } from 'diff'

/**
 * The words of a Markdown text without its addresses and marks, in lower case: by a tokenizer that shares nothing with the
 * normal form, to find what the normal form hides.
 */
export const independentWords = (markdown: string): string[] =>
  markdown
    .replace(/\]\([^)]*\)/g, ' ')
    .replace(/<?https?:\/\/\S+/g, ' ')
    .replace(/\\/g, '')
    .toLowerCase()
    .split(/[\s*_#|>()[\]"“”'‘’.,;:!?–—-]+/u)
    .filter((word) => word !== '')

const MAX_EDITS = 3_000
const SHOWN_WORDS = 40

/** What differs between two lists of words, as `-removed +added`; empty when nothing does. */
export function differenceInWords(before: string[], after: string[]): string {
  const parts = diffArrays(before, after, { maxEditLength: MAX_EDITS })
  if (!parts) return `more than ${MAX_EDITS} words`
  const shown = parts
    .filter((part) => part.added || part.removed)
    .map((part) => `${part.added ? '+' : '-'}${part.value.slice(0, SHOWN_WORDS).join(' ')}`)
  return shown.join(' ')
}
