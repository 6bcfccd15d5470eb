import { DAY, MINUTE, SECOND } from '../../lib/instant.ts'

/** So many wrong passwords in a row cost no waiting. */
export const FREE_FAILURES = 5
/** Then the wait begins with a second and doubles. */
export const FIRST_WAIT_MS = SECOND
export const LONGEST_WAIT_MS = 15 * MINUTE
/** Failures are forgotten when the last one is so old. */
export const FAILURES_KEPT_MS = DAY
