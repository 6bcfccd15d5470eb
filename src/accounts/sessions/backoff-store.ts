import { createHash } from 'node:crypto'
import type { Db } from '../../lib/sql.ts'
import { emailKey } from '../users/email-rules.ts'
import { FAILURES_KEPT_MS, FIRST_WAIT_MS, FREE_FAILURES, LONGEST_WAIT_MS } from './backoff-rules.ts'

const hashOf = (email: string): Uint8Array => createHash('sha256').update(emailKey(email)).digest()

/**
 * Counts a try to sign in as a failure before the password is looked at, so that many at once cannot pass together.
 * Returns the seconds to wait; 0 means go on. A success forgets the count.
 */
export async function beginSignIn(db: Db, email: string): Promise<number> {
  const hash = hashOf(email)
  const begun = await db`
    insert into sign_in_failure as f (email_hash, failures, last_at, blocked_until)
    values (${hash}, 1, clock_timestamp(), '-infinity')
    on conflict (email_hash) do update
    set failures = case when f.last_at < clock_timestamp() - ${`${FAILURES_KEPT_MS} ms`}::interval then 1
                        else f.failures + 1 end,
        last_at = clock_timestamp(),
        blocked_until = case
          when f.last_at < clock_timestamp() - ${`${FAILURES_KEPT_MS} ms`}::interval or f.failures + 1 < ${FREE_FAILURES}
          then '-infinity'
          else clock_timestamp() + least(${LONGEST_WAIT_MS}::float8,
            ${FIRST_WAIT_MS}::float8 * power(2, least(f.failures + 1 - ${FREE_FAILURES}::int, 20)))
            * interval '1 millisecond' end
    where f.blocked_until <= clock_timestamp()`
  if (begun.count > 0) return 0
  const [row] = await db<{ wait: number }[]>`
    select greatest(extract(epoch from blocked_until - clock_timestamp()), 0.001)::float8 as wait
    from sign_in_failure where email_hash = ${hash}`
  return row?.wait ?? 1
}

/** The right password, or a reset of it, ends the waiting. */
export async function forgetFailures(db: Db, email: string): Promise<void> {
  await db`delete from sign_in_failure where email_hash = ${hashOf(email)}`
}

/** Returns how many counts were old enough to be forgotten. */
export async function deleteOldFailures(db: Db): Promise<number> {
  const deleted = await db`
    delete from sign_in_failure where last_at < clock_timestamp() - ${`${FAILURES_KEPT_MS} ms`}::interval`
  return deleted.count
}
