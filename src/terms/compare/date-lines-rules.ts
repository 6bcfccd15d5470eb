import { DAY } from '../../lib/instant.ts'
import { datesIn, daysIn, saysOnlyDate, wordsBesideDate } from '../normalize/dates-rules.ts'
import { type Block, isDateLine } from '../normalize/normal-form-rules.ts'
import { joined } from '../normalize/words-rules.ts'
import { type Change, withoutBlocks } from './changes-rules.ts'

/** Returns whether a line says when the document or its versions were written, and nothing else. A row and an entry say more. */
export const statesOnlyDate = ({ text, row, item }: Block): boolean => row === undefined && !item && saysOnlyDate(text)

/** Returns whether short lines with a date that name something else say the same on both sides, but for their dates. */
export function sameBesideDates(changes: Change[]): boolean {
  const said = (blocks: Block[]) =>
    blocks
      .filter((block) => isDateLine(block.text) && !statesOnlyDate(block))
      .map(({ text }) => joined(wordsBesideDate(text)))
      .sort()
      .join('\n')
  return said(changes.flatMap(({ before }) => before)) === said(changes.flatMap(({ after }) => after))
}

/** Returns how many different dates went, or came where those are more. */
export function datesMoved(changes: Change[]): number {
  const dates = (blocks: Block[]) => [...new Set(blocks.flatMap(({ text }) => datesIn(text)))]
  const [went, came] = [dates(changes.flatMap(({ before }) => before)), dates(changes.flatMap(({ after }) => after))]
  const more = (one: string[], other: string[]) => one.filter((date) => !other.includes(date)).length
  return Math.max(more(went, came), more(came, went))
}

/** Whether each of several days is shown as the one before, or the one after: a list of versions in another time zone. */
function isInOtherTimeZone(went: Block[], came: Block[]): boolean {
  const [before, after] = [went, came].map((blocks) =>
    blocks.flatMap(({ text }) => daysIn(text).map((days) => (days.length === 1 ? Date.parse(days[0]!) : Number.NaN))),
  ) as [number[], number[]]
  if (before.length < 2 || before.length !== after.length) return false
  const shifts = new Set(before.map((day, n) => after[n]! - day))
  return shifts.size === 1 && (shifts.has(DAY) || shifts.has(-DAY))
}

/**
 * The changes without lines that state a date and nothing else, and that the page begins or ceases to show, or shows in another place or
 * time zone. A date that was removed while another came has changed.
 */
export function withoutShownDates(changes: Change[]): Change[] {
  const went = changes.flatMap(({ before }) => before.filter(statesOnlyDate))
  const came = changes.flatMap(({ after }) => after.filter(statesOnlyDate))
  const isMoved = ({ key }: Block) => [went, came].every((blocks) => blocks.some((block) => block.key === key))
  const [left, come] = [went, came].map((blocks) => blocks.filter((block) => !isMoved(block))) as [Block[], Block[]]
  const isChanged = left.length > 0 && come.length > 0 && !isInOtherTimeZone(left, come)
  return isChanged ? changes : withoutBlocks(changes, new Set([...went, ...came]))
}
