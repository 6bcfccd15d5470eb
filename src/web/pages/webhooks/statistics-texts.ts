const SECOND_MS = 1_000
const ALL = 100
const TENTHS = 10

type Counts = { succeeded: number; failed: number; retrying: number }

/** Deliveries that at least one attempt was made for. */
export const attempted = ({ succeeded, failed, retrying }: Counts): number => succeeded + failed + retrying

/**
 * Returns the part of deliveries that arrived, rounded down to a tenth: only when every one did it is `100%`, and only
 * when none did it is `0%`.
 */
export function successRate(counts: Counts): string {
  const percent = Math.floor((counts.succeeded / attempted(counts)) * ALL * TENTHS) / TENTHS
  return percent === 0 && counts.succeeded > 0 ? '< 0.1%' : `${percent}%`
}

/** `3 failed, 12 retrying`; empty when every delivery arrived. */
export const unsuccessful = ({ failed, retrying }: Counts): string =>
  [failed > 0 && `${failed.toLocaleString('en')} failed`, retrying > 0 && `${retrying.toLocaleString('en')} retrying`]
    .filter(Boolean)
    .join(', ')

/** `85 ms`, `1.2 s` */
export const durationText = (ms: number): string => (ms < SECOND_MS ? `${ms} ms` : `${(ms / SECOND_MS).toFixed(1)} s`)
