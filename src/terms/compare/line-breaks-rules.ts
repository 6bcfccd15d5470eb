import type { Block } from '../normalize/normal-form-rules.ts'
import { joined } from '../normalize/words-rules.ts'
import { boundedComparer, type Change, changedWords } from './changes-rules.ts'

const said = (blocks: Block[]): string => joined(blocks.flatMap(({ words }) => words)).toLowerCase()

/**
 * The changes without paragraphs that say the same and only break elsewhere: one that became two, two that became one. At
 * both ends of a change the shortest runs that say the same are left out, again and again.
 */
export function withoutLineBreaks(changes: Change[]): Change[] {
  const compare = boundedComparer()
  return changes.flatMap((change) => {
    const { before, after } = change
    if (before.length === 0 || after.length === 0) return [change]
    const [from, fromAfter] = sameRun(before, after)
    const [left, leftAfter] = [before.slice(from), after.slice(fromAfter)]
    const [end, endAfter] = sameRun(left.toReversed(), leftAfter.toReversed(), true)
    const kept = { before: left.slice(0, left.length - end), after: leftAfter.slice(0, leftAfter.length - endAfter) }
    if (from + end + fromAfter + endAfter === 0) return [change]
    if (kept.before.length + kept.after.length === 0) return []
    return [{ ...kept, at: change.at + from, ...changedWords(kept, compare) }]
  })
}

/** How many blocks of both say the same, from their beginning. */
function sameRun(before: Block[], after: Block[], isReversed = false): [number, number] {
  const sayOf = (blocks: Block[]) => said(isReversed ? blocks.toReversed() : blocks)
  let [same, sameAfter, to, toAfter] = [0, 0, 0, 0]
  let [length, lengthAfter] = [0, 0]
  while (to < before.length || toAfter < after.length) {
    const isBehind = length <= lengthAfter ? to < before.length : toAfter >= after.length
    if (isBehind) length += said([before[to++]!]).length
    else lengthAfter += said([after[toAfter++]!]).length
    if (length !== lengthAfter) continue
    if (sayOf(before.slice(same, to)) !== sayOf(after.slice(sameAfter, toAfter))) break
    ;[same, sameAfter] = [to, toAfter]
  }
  return [same, sameAfter]
}
