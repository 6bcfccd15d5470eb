import { BINDS, EARLIER_VERSION, UPDATE_ANNOUNCED } from '../language/announcements-rules.ts'
import { hasDate } from '../normalize/dates-rules.ts'
import type { Block } from '../normalize/normal-form-rules.ts'
import { blocksOnOneSide, type Change } from './changes-rules.ts'

const MOST_WORDS = 60
/** An announcement is in this many paragraphs, and among the first of them; further below it names its day. */
const BLOCKS = 3
const TOP_BLOCKS = 3

/** Returns whether only an announcement was added or removed: that the document was or will be changed, and where the version before is. */
export function onlyAnnouncement(change: Change): boolean {
  const blocks = blocksOnOneSide(change)
  if (blocks.length === 0 || blocks.length > BLOCKS) return false
  const atTop = change.at < TOP_BLOCKS
  return blocks.every((block) => announces(block, atTop))
}

const announces = ({ text, row, item, heading, words }: Block, atTop: boolean): boolean =>
  row === undefined &&
  !item &&
  !heading &&
  words.length <= MOST_WORDS &&
  !BINDS.test(text) &&
  (EARLIER_VERSION.test(text) || (UPDATE_ANNOUNCED.test(text) && (atTop || hasDate(text))))
