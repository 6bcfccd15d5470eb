import type { Unit } from '../normalize/units-rules.ts'

/** Units of two texts that differ, between units that are the same: half-open ranges of both. */
export type Hunk = { from: number; to: number; otherFrom: number; otherTo: number }

type Part = { value: unknown[]; added?: boolean; removed?: boolean }

export function hunksOf(parts: Part[]): Hunk[] {
  const hunks: Hunk[] = []
  let [at, otherAt] = [0, 0]
  let open: Hunk | undefined
  for (const { value, added, removed } of parts) {
    if (!added && !removed) {
      open = undefined
      at += value.length
      otherAt += value.length
      continue
    }
    if (!open) {
      open = { from: at, to: at, otherFrom: otherAt, otherTo: otherAt }
      hunks.push(open)
    }
    if (removed) at += value.length
    else otherAt += value.length
    open.to = at
    open.otherTo = otherAt
  }
  return hunks
}

/** Two units with at least this share of their words in common are two wordings of one. */
const REWORDED = 0.5

const bag = (key: string): Map<string, number> => {
  const counts = new Map<string, number>()
  for (const word of key.match(/[\p{L}\p{N}]+/gu) ?? []) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

/** Share of the words of two texts that they have in common. */
function similarity(a: string, b: string): number {
  const [x, y] = [bag(a.toLowerCase()), bag(b.toLowerCase())]
  let common = 0
  let total = 0
  for (const [word, count] of x) {
    common += Math.min(count, y.get(word) ?? 0)
    total += count
  }
  for (const count of y.values()) total += count
  return total === 0 ? 0 : (2 * common) / total
}

/** Returns the text that is the nearest wording of a sentence, if one of them is a wording of it. */
export function wordingOf(sentence: string, texts: string[]): string | undefined {
  const [best] = texts
    .map((text) => ({ text, score: similarity(sentence, text) }))
    .filter(({ score }) => score >= REWORDED)
    .sort((a, b) => b.score - a.score)
  return best?.text
}

/**
 * Pairs the units of two short runs that are wordings of each other, in order. Returns for each unit of the first run
 * the index of its wording in the second.
 */
export function pairUnits(before: Unit[], after: Unit[]): (number | undefined)[] {
  const scores = before.map((a) =>
    after.map((b) => {
      const score = a.key === b.key ? 1 : similarity(a.text, b.text)
      return score >= REWORDED ? score : 0
    }),
  )
  const best = Array.from({ length: before.length + 1 }, () => new Array<number>(after.length + 1).fill(0))
  for (let i = before.length - 1; i >= 0; i--)
    for (let j = after.length - 1; j >= 0; j--)
      best[i]![j] = Math.max(
        best[i + 1]![j]!,
        best[i]![j + 1]!,
        scores[i]![j]! > 0 ? scores[i]![j]! + best[i + 1]![j + 1]! : 0,
      )
  const pairs: (number | undefined)[] = before.map(() => undefined)
  let [i, j] = [0, 0]
  while (i < before.length && j < after.length) {
    const score = scores[i]![j]!
    if (score > 0 && best[i]![j] === score + best[i + 1]![j + 1]!) pairs[i++] = j++
    else if (best[i]![j] === best[i + 1]![j]) i++
    else j++
  }
  return pairs
}
