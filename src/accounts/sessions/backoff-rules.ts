import { DAY, HOUR, MINUTE, SECOND } from '../../lib/instant.ts'

/** Wrong passwords in a row that cost no waiting. */
export const FREE_FAILURES = 5
/** Then the wait begins with a second and doubles. */
export const FIRST_WAIT_MS = SECOND
export const LONGEST_WAIT_MS = 15 * MINUTE
/** Failures are forgotten when the last one is this old. */
export const FAILURES_KEPT_MS = DAY

/**
 * Tries from all unknown browsers together, for one address of mail: a bucket of 20, and one every three minutes. One
 * network address alone cannot empty it for long: its own waits are longer.
 */
export const STRANGERS = { rate: 20 / (HOUR / SECOND), burst: 20 }
