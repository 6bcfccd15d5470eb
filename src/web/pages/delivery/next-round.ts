import { ROUND_MINUTES } from '../../limits.ts'

const ROUND_MS = ROUND_MINUTES * 60_000

/** Returns when the round starts that sends what is due at an instant: rounds start every five minutes, on the clock. */
export const roundAfter = (due: number, now: number): number => Math.ceil(Math.max(due, now) / ROUND_MS) * ROUND_MS

/** Returns the round that makes an attempt, or undefined where the attempt is due already: the next one does. */
export const roundOf = (due: string, now: number): string | undefined =>
  Date.parse(due) <= now ? undefined : new Date(roundAfter(Date.parse(due), now)).toISOString()

/** `02:40 UTC` */
export const clockTime = (ms: number): string => `${new Date(ms).toISOString().slice(11, 16)} UTC`
