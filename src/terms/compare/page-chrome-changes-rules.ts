import type { Block } from '../normalize/normal-form-rules.ts'
import { blocksOnOneSide, type Change, narrowed } from './changes-rules.ts'
import { statesOnlyDate } from './date-lines-rules.ts'
import { isLabel } from './labels-rules.ts'
import { changesMeaning } from './meaning-rules.ts'

/** The changes without what a site shows beside its text: labels in several places, a title above the date, a menu above the title. */
export const withoutPageChrome = (changes: Change[], blocks: Block[]): Change[] =>
  withoutRepeatedLabels(withoutTitle(changes)).filter((change) => !onlyMenuAbove(change, blocks))

/** So many lines above the title, of which nine in ten are no sentences, are a menu and what it praises. */
const MENU_LINES = 5
const MENU_SHARE = 0.9
const MENU_LINE_WORDS = 14

function onlyMenuAbove(change: Change, blocks: Block[]): boolean {
  const lines = blocksOnOneSide(change)
  const title = blocks[change.before.length]
  return (
    change.at === 0 &&
    lines.length >= MENU_LINES &&
    title?.heading === true &&
    !changesMeaning(change) &&
    lines.filter((line) => isLabel(line, MENU_LINE_WORDS)).length >= lines.length * MENU_SHARE
  )
}

/** A label that came or went in so many places at once is what a site shows beside its text: `Find out more`. */
const PLACES = 3
const LABEL_WORDS = 4

/** The changes without labels that came, or went, in several places at once. */
export function withoutRepeatedLabels(changes: Change[]): Change[] {
  const [went, came] = [changes.flatMap(({ before }) => before), changes.flatMap(({ after }) => after)].map(repeated)
  if (went!.size === 0 && came!.size === 0) return changes
  return changes.map((change) =>
    narrowed(
      change,
      change.before.filter(({ key }) => !went!.has(key)),
      change.after.filter(({ key }) => !came!.has(key)),
    ),
  )
}

function repeated(blocks: Block[]): Set<string> {
  const counts = new Map<string, number>()
  for (const block of blocks) if (isLabel(block, LABEL_WORDS)) counts.set(block.key, (counts.get(block.key) ?? 0) + 1)
  return new Set([...counts].filter(([, count]) => count >= PLACES).map(([key]) => key))
}

/** The changes without the document's own title, where it came or went beside dates and nothing else. */
export function withoutTitle(changes: Change[]): Change[] {
  const [first, ...more] = changes
  if (!first || first.at > 0) return changes
  const [before, after] = [withoutHeading(first.before), withoutHeading(first.after)]
  const rest = [...before.rest, ...after.rest]
  if (before.title === after.title || rest.length === 0 || !rest.every(statesOnlyDate)) return changes
  return [narrowed(first, before.rest, after.rest), ...more]
}

const withoutHeading = (blocks: Block[]) => {
  const title = blocks[0]?.heading === true
  return { title, rest: title ? blocks.slice(1) : blocks }
}
