import type { Tx } from '../lib/sql.ts'
import { draftMatching, matchedColumns, withoutNestedLoops } from '../webhooks/matching/match-store.ts'
import type { Frequency } from './schema.ts'
import { MOST_SHOWN, WATCHED_EVENTS } from './watch-rules.ts'
import { watchedNames } from './watch-store.ts'

/** Watches that a plan looks at; those of them whose owners can be mailed, and the event after which these begin. */
type DueWatches = { watchIds: string[]; mailable: string[]; from: number }

/** Returns the watches of a frequency that have not been looked at up to an event. */
export async function dueWatches(tx: Tx, frequency: Frequency, newest: number): Promise<DueWatches> {
  const [row] = await tx<{ watchIds: string[]; mailable: string[]; from: string }[]>`
    select coalesce(array_agg(watch_id), '{}')::text[] as "watchIds",
           coalesce(array_agg(watch_id) filter (where mailable), '{}')::text[] as mailable,
           coalesce(min(after_seq) filter (where mailable), ${newest}) as from
    from (
      select w.watch_id, w.after_seq, a.disabled_at is null and a.email_verified_at is not null as mailable
      from watch w join account a using (account_id)
      where w.frequency = ${frequency} and w.paused_at is null and w.after_seq < ${newest}
    ) as due`
  return { ...row!, from: Number(row!.from) }
}

/** How many changes of a watch there are, and the first of them. */
export type Changes = { watchId: string; accountId: string; changes: number; seqs: string[] }

/**
 * Returns the changes of each of these watches among the events after `from`, up to `upTo`. A watch is matched as a webhook is: it
 * is a subscription to one subject (docs/use/subscriptions.md).
 */
export async function changesAmong(
  tx: Tx,
  watchIds: string[],
  { from, upTo }: { from: number; upTo: number },
): Promise<Changes[]> {
  await withoutNestedLoops(tx)
  const { model, seller, group, document } = WATCHED_EVENTS
  return tx<Changes[]>`
    with recursive due as materialized (select * from watch where watch_id = any(${watchIds}::uuid[])),
    ${watchedNames(tx, 'due')},
    draft_version as materialized (
      select watch_id as webhook_id, '-infinity'::timestamptz as valid_from, null::timestamptz as valid_to,
             case when group_id is not null then ${group}::text[] when document is not null then ${document}::text[]
                  when resource is not null then ${model}::text[] else ${seller}::text[] end as event_types,
             array_remove(array[provider], null) as providers, group_id is not null as every_provider,
             group_id is not null as by_groups, 'low'::significance as min_significance, min_change
      from due
    ),
    draft_filter as (
      select due.watch_id as webhook_id, '-infinity'::timestamptz as valid_from, due.provider,
             array_remove(array_agg(n.name), null) as resources,
             array_remove(array[due.document], null) as documents
      from due left join name n using (watch_id)
      where due.resource is not null or due.document is not null
      group by due.watch_id, due.provider, due.document
    ),
    draft_group as (
      select watch_id as webhook_id, '-infinity'::timestamptz as valid_from, group_id, 1 as position
      from due where group_id is not null
    ),
    unmatched as materialized (
      select ${matchedColumns(tx)} from event where seq > ${from} and seq <= ${upTo}
    ),
    ${draftMatching(tx)}
    select due.watch_id as "watchId", due.account_id as "accountId", count(*)::integer as changes,
           (array_agg(w.seq order by w.seq))[1:${MOST_SHOWN}]::text[] as seqs
    from (select distinct webhook_id, seq from wanted) w
    join due on due.watch_id = w.webhook_id
    where w.seq > due.after_seq
    group by due.watch_id, due.account_id`
}
