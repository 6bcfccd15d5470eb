import { inOneSpelling } from '../language/spelling-rules.ts'
import type { Block, ReadText } from '../normalize/normal-form-rules.ts'
import { joined, wordsOf } from '../normalize/words-rules.ts'
import { type Change, withoutBlocks } from './changes-rules.ts'
import { counted } from './lists/counts-rules.ts'

/** This many words that differ by nothing but spaces were read by another program: it may split numbers too. */
const RESPACED_WORDS = 10

/** Returns whether the same characters follow each other, in lines that break elsewhere and words that are split elsewhere. */
export function onlySpacesDiffer(before: ReadText, after: ReadText, changes: Change[]): boolean {
  const texts = [before, after].map(({ lines }) =>
    lines.map(({ plain, leadsTo = '' }) => `${plain} ${leadsTo}`).join(' '),
  )
  const [a, b] = texts.map((text) => joined(wordsOf(text.toLowerCase())))
  if (a === b) return true
  const words = changes.reduce((sum, { wordsRemoved, wordsAdded }) => sum + Math.max(wordsRemoved, wordsAdded), 0)
  if (words < RESPACED_WORDS) return false
  const [x, y] = [respaced(before.whole), respaced(after.whole)]
  return x === y
}

/** Letters, numbers with their stops, signs and currencies of a text, without any space. */
const respaced = (text: string): string =>
  text
    .toLowerCase()
    .replace(/\s+/g, '')
    .replace(/(?<!\p{N})[.,:]|[.,:](?!\p{N})/gu, '')
    .replace(/(?<=[\p{L}\p{N}])[-+]/gu, '')
    .replace(/[^\p{L}\p{N}\p{Sc}.,:%‰≤≥≠±<>=+-]/gu, '')

/** The same words in lines that break elsewhere, with other capitals, in British or American spelling, in that of French before 1990, or with a space between two words that had none. */
export function sameWords({ before, after }: Change): boolean {
  const said = (blocks: Block[]) => joined(blocks.flatMap((block) => block.words.map(inOneSpelling))).toLowerCase()
  if (said(before) === said(after)) return true
  const shown = (blocks: Block[]) => joined(blocks.flatMap((block) => wordsOf(block.text))).toLowerCase()
  return shown(before) === shown(after)
}

/** The changes without blocks that only moved: what went in one place and came in another. */
export function withoutMoved(changes: Change[]): Change[] {
  const [went, came] = (['before', 'after'] as const).map((side) => changes.flatMap((change) => change[side]))
  const moved = (blocks: Block[], others: Block[]) => {
    const counts = counted(others.map(({ key }) => key))
    return blocks.filter(({ key }) => {
      const count = counts.get(key) ?? 0
      counts.set(key, count - 1)
      return count > 0
    })
  }
  return withoutBlocks(changes, new Set([...moved(went!, came!), ...moved(came!, went!)]))
}
