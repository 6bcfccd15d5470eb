import type { Block } from '../normalize/normal-form-rules.ts'
import { totalWords } from '../normalize/words-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'
import { SENTENCE_END } from './labels-rules.ts'
import { NOTICES } from './notices-rules.ts'

/** The notice of a part that failed is a line of its own; a clause about access or errors is a sentence. */
const NOTICE_WORDS = 4
/** It and what it says beside have so many words. */
const ALL_WORDS = 60
const FAILED = NOTICES.filter(([reason]) => reason === 'access denied' || reason === 'error page')
/** What an agreement says, and a notice does not. */
const BINDS = /\b(?:agree|liab\p{L}+|waive|oblig\p{L}+|shall|must|may not|prohibit\p{L}*|forbid\p{L}*)\b/iu

/** Returns whether only the notice of a part that failed came or went, at the end of a page: `Access Denied`. */
export function onlyFailedPart(change: Change, blocks: Block[]): boolean {
  const changed = blocksOnOneSide(change)
  const [first, ...rest] = changed
  if (!first || change.at + change.before.length < blocks.length || !isNotice(first)) return false
  return (
    totalWords(changed) <= ALL_WORDS &&
    !changed.some(({ row, item }) => row !== undefined || item) &&
    !rest.some(({ text }) => BINDS.test(text))
  )
}

const isNotice = ({ text, words }: Block): boolean =>
  words.length <= NOTICE_WORDS &&
  !SENTENCE_END.test(text) &&
  FAILED.some(([, phrase]) => phrase.test(text.toLowerCase()))
