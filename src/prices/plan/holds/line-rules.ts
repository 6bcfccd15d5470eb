import type { DoubtfulLine } from './hold.ts'
import { HOLDS, type HoldReason } from './index.ts'

const OF_LINES = HOLDS.flatMap((hold) => (hold.level === 'line' ? [hold] : []))

/** Returns why a line is doubtful, by what is known about it alone. */
export const lineHolds = (line: DoubtfulLine): HoldReason[] =>
  OF_LINES.filter(({ when }) => when(line)).map(({ code }) => code)
