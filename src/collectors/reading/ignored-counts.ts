import { oneLine } from '../../lib/text.ts'

/** Texts for people are cut: a reason and an example. */
const MAX_REASON_LENGTH = 120
const MAX_EXAMPLE_LENGTH = 200
/** Reasons that are counted apart; a list that gives more is broken, and the others are counted together. */
const MAX_REASONS = 500

type IgnoredCount = { reason: string; count: number; example: string }

/** Counts what was not taken by its reason, with the first example of each. */
export function countIgnored() {
  const byReason = new Map<string, IgnoredCount>()
  return {
    ignore(given: string, example: string): void {
      const wanted = oneLine(given, MAX_REASON_LENGTH)
      const reason = byReason.has(wanted) || byReason.size < MAX_REASONS ? wanted : 'other reasons'
      const known = byReason.get(reason)
      if (known) known.count++
      else byReason.set(reason, { reason, count: 1, example: oneLine(example, MAX_EXAMPLE_LENGTH) })
    },
    counts: (): IgnoredCount[] => [...byReason.values()],
  }
}
