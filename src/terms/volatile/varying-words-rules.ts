import type { Comparer } from '../compare/changes-rules.ts'
import { wordsOf } from '../normalize/words-rules.ts'

/** So many different contents make a gap in a sentence volatile. */
const VARYING = 3
/** Words that all wordings of a sentence have in common, at least, and as a share of the sentence. */
const LEAST_COMMON = 4
const COMMON_SHARE = 0.5
const HAS_DIGIT = /\p{N}/u

/**
 * The words of a sentence that differ at nearly every fetch, when they are numbers and the rest of it stays: a counter or
 * a date inside a clause. Returns their indices in `sentence`; undefined when more than numbers differ.
 */
export function varyingWords(sentence: string, remembered: string[], compare: Comparer): number[] | undefined {
  const texts = remembered.map(wordsOf)
  const template = texts.reduce<string[] | undefined>(
    (common, words) =>
      common &&
      compare(common, words)
        ?.filter((part) => !part.added && !part.removed)
        .flatMap((part) => part.value),
    texts[0],
  )
  const words = wordsOf(sentence)
  if (!template || template.length < LEAST_COMMON || template.length < words.length * COMMON_SHARE) return undefined
  const contents = new Map<number, Set<string>>()
  for (const text of texts)
    for (const [gap, indices] of gapsOf(template, text, compare))
      contents.set(gap, (contents.get(gap) ?? new Set()).add(indices.map((i) => text[i]).join(' ')))
  const varying = [...contents].filter(([, variants]) => variants.size >= VARYING)
  if (
    varying.length === 0 ||
    !varying.every(([, variants]) => [...variants].every((variant) => HAS_DIGIT.test(variant)))
  )
    return undefined
  const gaps = gapsOf(template, words, compare)
  return withNeighbours(
    varying.flatMap(([gap]) => gaps.get(gap) ?? []),
    words,
  )
}

/** A day, a month or a year: of a date whose day differs at every fetch, the month differs once a month. */
const DATE_PART = /^[-+]?\d{1,4}$/

/** The indices with those of the parts of dates right beside them. */
function withNeighbours(indices: number[], words: string[]): number[] {
  const found = new Set(indices)
  for (const index of indices)
    for (const step of [-1, 1])
      for (let i = index + step; DATE_PART.test(words[index]!) && DATE_PART.test(words[i] ?? ''); i += step)
        found.add(i)
  return [...found].sort((a, b) => a - b)
}

/** The words of a text beside a template, as indices, by how many of the template's words come before them. */
function gapsOf(template: string[], text: string[], compare: Comparer): Map<number, number[]> {
  const gaps = new Map<number, number[]>()
  let [at, index] = [0, 0]
  for (const { value, added, removed } of compare(template, text) ?? []) {
    if (added) gaps.set(at, [...(gaps.get(at) ?? []), ...value.map((_, i) => index + i)])
    if (!added) at += value.length
    if (!removed) index += value.length
  }
  return gaps
}
