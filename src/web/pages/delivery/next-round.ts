import { ROUND_MINUTES } from '../../limits.ts'

const ROUND_MS = ROUND_MINUTES * 60_000

/** Returns when the round starts that sends what is due at an instant: rounds start every five minutes, on the clock. */
export const roundAfter = (due: number, now: number): number => Math.ceil(Math.max(due, now) / ROUND_MS) * ROUND_MS

/** `02:40 UTC` */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`
