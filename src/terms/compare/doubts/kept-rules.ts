import type { ReadText } from '../../normalize/normal-form-rules.ts'
import { wordsOf } from '../../normalize/words-rules.ts'

/** Runs of this many words are compared: they survive where paragraphs are split or joined. */
const RUN = 3

function runsOf(text: ReadText): Set<string> {
  const words = wordsOf(text.plain)
  const runs = new Set<string>()
  for (let i = 0; i + RUN <= words.length; i++) runs.add(words.slice(i, i + RUN).join(' '))
  return runs
}

/** Returns the share of the earlier text that the later one still says, between 0 and 1. */
export function keptShare(before: ReadText, after: ReadText): number {
  const [a, b] = [runsOf(before), runsOf(after)]
  if (a.size === 0) return before.normalForm === after.normalForm ? 1 : 0
  let kept = 0
  for (const run of a) if (b.has(run)) kept++
  return kept / a.size
}
