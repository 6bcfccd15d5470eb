import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { AS_OF_DELAY_MS } from './clock-rules.ts'

type Timeline = {
  id: string
  /** The database that it was recorded in; absent before the first use. */
  fingerprint?: string
  /** The fingerprint of this database. */
  here: string
}

/** Returns the timeline that the history is on. */
export async function currentTimeline(tx: Tx): Promise<Timeline> {
  const [row] = await tx<{ id: string; fingerprint: string | null; here: string }[]>`
    select timeline_id as id, fingerprint, history_fingerprint() as here
    from history_timeline order by timeline desc limit 1`
  return { ...row!, fingerprint: row!.fingerprint ?? undefined }
}

/** Returns whether the history was recorded in this database, as far as PostgreSQL shows it. */
export async function isRecordedHere(db: Db): Promise<boolean> {
  const [row] = await db<{ here: boolean }[]>`
    select fingerprint is not distinct from history_fingerprint() as here
    from history_timeline order by timeline desc limit 1`
  return row!.here
}

/** Binds a timeline to this database. */
export async function bindTimeline(tx: Tx, { id, here }: Timeline): Promise<void> {
  await tx`update history_timeline set fingerprint = ${here} where timeline_id = ${id}`
}

export type LostHistory = { after: Instant; until: Instant }

/**
 * Begins a timeline in this database. What was published after `lostAfter` is lost; it may have been answered for
 * instants up to 15 minutes ago. Returns what is lost; undefined when nothing that can have been answered is.
 */
export async function beginTimeline(tx: Tx, reason: string, lostAfter: Instant): Promise<LostHistory | undefined> {
  const [row] = await tx<(LostHistory | { after: null })[]>`
    with ended as (
      -- What is the newest instant from now on was never answered before.
      select date_trunc('milliseconds', clock_timestamp() - ${`${AS_OF_DELAY_MS + 1} ms`}::interval) as until
    )
    insert into history_timeline (reason, fingerprint, lost_after, lost_until)
    select ${reason}, history_fingerprint(), case when until > ${lostAfter} then ${lostAfter}::timestamptz end,
           case when until > ${lostAfter} then until end
    from ended
    returning lost_after as after, lost_until as until`
  return row!.after === null ? undefined : row
}
