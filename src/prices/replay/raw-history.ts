import type { Instant } from '../../lib/instant.ts'
import type { ParsedPrices } from '../schema.ts'
import { endedBy, type RawChange, type RawLine, rawChanges, rawLines } from './raw-change-rules.ts'

/** When a line was in the snapshots: each period from the first snapshot that has it to the first that does not. */
type ListedPeriods = { from: Instant; to?: Instant }[]

/** What the recorded snapshots say, kept as they are replayed. */
export type RawHistory = {
  add(parsed: ParsedPrices, at: Instant): void
  readonly changes: RawChange[]
  /** The periods in which each line was listed. */
  readonly listed: Map<string, ListedPeriods>
}

export function startRawHistory(): RawHistory {
  const changes: RawChange[] = []
  const listed = new Map<string, ListedPeriods>()
  let open: RawChange[] = []
  let before = new Map<string, RawLine>()

  function add({ observations }: ParsedPrices, at: Instant) {
    const lines = rawLines(observations)
    open = endedBy(open, lines, at)
    const changed = rawChanges(before, lines, at)
    changes.push(...changed)
    open.push(...changed)
    for (const key of before.keys()) if (!lines.has(key)) listed.get(key)!.at(-1)!.to = at
    for (const key of lines.keys()) {
      if (before.has(key)) continue
      const periods = listed.get(key)
      if (periods) periods.push({ from: at })
      else listed.set(key, [{ from: at }])
    }
    before = lines
  }

  return { add, changes, listed }
}
