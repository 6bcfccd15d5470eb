import { LIST_WORDS } from '../normalize/link-lists-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import type { Change } from './changes-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** Buttons and titles of what a site shows below its documents: `Sources`, `Download the app`. */
const LABEL_WORDS = 6
const LABELS_WORDS = 12
const SENTENCE_END = /[.!?;:。]["”')\]]*$/u
/** What a label of a site has not: numbers, addresses, company forms, negations. */
const SAYS_MORE = /[\p{N}@:]|\b(?:Inc|LLC|Ltd|Limited|GmbH|AG|SAS|SARL|S\.A|B\.V|Corp|no|not|non|kein\p{L}*)\b/iu

const isLabel = ({ text, words, row, item }: Block): boolean =>
  row === undefined &&
  !item &&
  words.length <= LABEL_WORDS &&
  !SENTENCE_END.test(text) &&
  !SAYS_MORE.test(text) &&
  !LIST_WORDS.test(text)

/**
 * Returns whether nothing but labels came or went after the last paragraph of a document. Where the line before them is
 * a label too, they may be entries of a list.
 */
export function onlyLabelsAtEnd(change: Change, blocks: Block[]): boolean {
  const { before, after, at } = change
  const changed = before.length === 0 ? after : after.length === 0 ? before : []
  const last = blocks[at - 1]
  if (changed.length === 0 || at + before.length < blocks.length || last === undefined) return false
  if (!SENTENCE_END.test(last.text) || last.row !== undefined) return false
  const words = changed.reduce((sum, block) => sum + block.words.length, 0)
  return words <= LABELS_WORDS && changed.every(isLabel) && !changesMeaning(change)
}
