import { hasDate } from '../normalize/dates-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { isShort } from '../normalize/title-rules.ts'
import { type Change, withoutBlocks } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'

/** Above the first paragraph that both texts have, more headings than these are headings of sections. */
const MOST_TITLES = 5
/** A heading with more words is a paragraph that is marked as one. */
const HEADING_WORDS = 20

/**
 * The changes without the headings above the first paragraph, row or entry that both texts have: how a page names the document. One with
 * a date stays.
 */
export function withoutTitles(changes: Change[], before: ReadText, after: ReadText): Change[] {
  return withoutBlocks(changes, new Set([...titlesOf(before, after), ...titlesOf(after, before)]))
}

/** Whether a block belongs to what the document says: neither a title nor a line with its date. */
function isText(block: Block): boolean {
  const { heading, item, row, text, words } = block
  if (heading) return words.length > HEADING_WORDS
  return item || row !== undefined || !(isShort(text) || statesOnlyDate(block))
}

function titlesOf({ blocks }: ReadText, other: ReadText): Block[] {
  const keys = new Set(other.blocks.map(({ key }) => key))
  const text = blocks.findIndex((block) => keys.has(block.key) && isText(block))
  const titles = blocks.slice(0, Math.max(text, 0)).filter(({ heading, text: said }) => heading && !hasDate(said))
  return titles.length > MOST_TITLES ? [] : titles
}
