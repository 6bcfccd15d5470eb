import { createHash } from 'node:crypto'
import type { Db } from '../../lib/sql.ts'
import { drawToken } from '../limits/rate-limit-store.ts'
import { FAILURES_KEPT_MS, FIRST_WAIT_MS, FREE_FAILURES, LONGEST_WAIT_MS, STRANGERS } from './backoff-rules.ts'

const hashOf = (counter: string): Buffer => createHash('sha256').update(counter).digest()

/**
 * Counts a try as a failure before the password is looked at, so that many at once cannot pass together.
 * Returns the seconds to wait; 0 means go on. A success forgets the count.
 */
export async function beginTry(db: Db, counter: string): Promise<number> {
  const hash = hashOf(counter)
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

/** Takes a token of what all unknown browsers have together for one address. Returns the seconds to wait; 0: taken. */
export function drawStrangersToken(db: Db, owner: string): Promise<number> {
  return drawToken(db, `strangers:${hashOf(owner).toString('hex')}`, STRANGERS)
}

export async function forgetFailures(db: Db, counter: string): Promise<void> {
  await db`delete from sign_in_failure where email_hash = ${hashOf(counter)}`
}

/** Returns how many counts were old enough to be forgotten. */
export async function deleteOldFailures(db: Db): Promise<number> {
  const deleted = await db`
    delete from sign_in_failure where last_at < clock_timestamp() - ${`${FAILURES_KEPT_MS} ms`}::interval`
  return deleted.count
}
