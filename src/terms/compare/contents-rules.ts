import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { type Change, withoutBlocks } from './changes-rules.ts'

/** The changes without entries of a table of contents: what is an entry of a list and a heading of the same text. */
export function withoutContents(changes: Change[], before: ReadText, after: ReadText): Change[] {
  return withoutBlocks(changes, new Set([...contentsOf(before), ...contentsOf(after)]))
}

function contentsOf({ blocks }: ReadText): Block[] {
  const headings = new Set(blocks.filter(({ heading }) => heading).map(({ key }) => key))
  return blocks.filter(({ item, heading, key }) => item && !heading && headings.has(key))
}
