import type { Block, ReadText } from '../normalize/normal-form-rules.ts'

/** What went is so large: a whole text, and no clause. */
const WENT_WORDS = 300
/** What may come meanwhile, as a share of what went: the line that said which of two texts is in force. */
const CAME_SHARE = 0.05
/** What went was in the earlier text, which hardly said more, and what stays repeats much of it. */
const OF_EARLIER = 0.9
const MOST_OF_EARLIER = 0.8
const KEPT = 0.5

/** How many words each paragraph has in all, by what it says. */
type Words = Map<string, number>

/**
 * Returns whether a page that showed the text of before below the new one shows only the new one: the earlier text went as
 * a whole, and what stays is another edition of it. When the new one went, the page is the earlier text again.
 */
export function onlySuperseded(before: ReadText, after: ReadText, earlier: ReadText): boolean {
  const [was, is, old] = [before, after, earlier].map(({ blocks }) => wordsOf(blocks)) as [Words, Words, Words]
  const [went, came] = [without(was, is), without(is, was)]
  if (total(went) < WENT_WORDS || total(came) > total(went) * CAME_SHARE) return false
  const [wentOfEarlier, keptOfEarlier] = [common(went, old), common(is, old)]
  return (
    wentOfEarlier >= total(went) * OF_EARLIER &&
    wentOfEarlier >= total(old) * MOST_OF_EARLIER &&
    keptOfEarlier >= total(old) * KEPT &&
    total(went) - wentOfEarlier < total(is) - total(came) - keptOfEarlier
  )
}

function wordsOf(blocks: Block[]): Words {
  const words: Words = new Map()
  for (const { key, words: said } of blocks) words.set(key, (words.get(key) ?? 0) + said.length)
  return words
}

const total = (words: Words): number => [...words.values()].reduce((sum, count) => sum + count, 0)
const without = (words: Words, other: Words): Words =>
  new Map([...words].map(([key, count]) => [key, Math.max(0, count - (other.get(key) ?? 0))]))
const common = (words: Words, other: Words): number =>
  [...words].reduce((sum, [key, count]) => sum + Math.min(count, other.get(key) ?? 0), 0)
