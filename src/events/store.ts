import type { PendingQuery, Row } from 'postgres'
import type { Stamp } from '../catalog/clock/clock-store.ts'
import { v7 } from '../lib/ids.ts'
import type { Instant } from '../lib/instant.ts'
import { type Db, type Sql, type Tx, unprepared } from '../lib/sql.ts'
import { EVENT_VERSIONS, type EventDraft, type EventType } from './schema.ts'

/**
 * Records events in the publication that causes them: they become eligible at its instant and are numbered in
 * commit order. The body is serialized here, once, and sent byte for byte ever after. Returns the event ids.
 */
export async function recordEvents(tx: Tx, stamp: Stamp, drafts: EventDraft[]): Promise<string[]> {
  const rows = drafts.map((draft) => {
    const id = `evt_${v7()}`
    const envelope = {
      version: EVENT_VERSIONS[draft.type],
      type: `${draft.type}.${draft.provider}`,
      id,
      createdAt: stamp.at,
      eligibleAt: stamp.at,
      provider: draft.provider,
    }
    return {
      seq: stamp.nextSeq(),
      event_id: id,
      type: draft.type,
      provider: draft.provider,
      resources: draft.resources ?? [],
      members: draft.members ?? [],
      document: draft.document,
      significance: draft.significance,
      group_id: draft.groupId,
      credit_priced: draft.creditPriced ?? false,
      ...(draft.type === 'price.changed' && pricesOf(draft.payload)),
      body: JSON.stringify({ ...envelope, ...draft.payload }),
    }
  })
  if (rows.length === 0) return []
  await tx`
    insert into event (seq, event_id, type, provider, eligible_at, resources, members, document, significance, group_id,
                       credit_priced, direction, change_percent, body)
    select e.seq, e.event_id, e.type, e.provider, ${stamp.at}, e.resources, e.members, e.document, e.significance,
           e.group_id, e.credit_priced, case sign(e.after - e.before) when 1 then 'up' when -1 then 'down' when 0 then 'same' end,
           case when e.before > 0 then abs(e.after - e.before) / e.before * 100 end, e.body
    from jsonb_to_recordset(${tx.json(rows)}::jsonb) as e (seq bigint, event_id text, type text, provider text,
         resources text[], members text[], document text, significance significance, group_id uuid, credit_priced boolean, before numeric,
         after numeric, body text)`
  return rows.map((row) => row.event_id)
}

type Drafts = {
  type: EventType
  /** Selects `place`, `provider`, `resources`, `members`, `credit_priced` and the text of `payload`. */
  drafts: PendingQuery<Row[]>
  count: number
}

/** Records events that a query makes, in the order of their places, as `recordEvents` records those that are given. */
export async function recordEventsFrom(tx: Tx, stamp: Stamp, { type, drafts, count }: Drafts): Promise<void> {
  if (count === 0) return
  const first = stamp.nextSeq(count)
  const version = JSON.stringify(EVENT_VERSIONS[type])
  // The drafts are read from a table that is there for a moment.
  const recorded = await unprepared(tx)`
    insert into event (seq, event_id, type, provider, eligible_at, resources, members, credit_priced, body)
    select ${first}::bigint + n - 1, id, ${type}, provider, ${stamp.at}, resources, members, credit_priced,
           ${`{"version":${version},"type":"${type}.`}::text || provider || '","id":"' || id
             || ${`","createdAt":"${stamp.at}","eligibleAt":"${stamp.at}","provider":"`}::text || provider || '",'
             || substr(payload, 2)
    from (
      select 'evt_' || uuidv7() as id, row_number() over (order by place) as n, d.* from (${drafts}) as d
    ) as numbered`
  if (recorded.count !== count) throw new Error(`${recorded.count} events of ${count} were made`)
}

/** The two prices of a `price.changed`, which say whether it rose or fell. */
const pricesOf = (payload: EventDraft['payload']) => {
  const { previous, current } = payload as { previous?: { price?: string }; current?: { price?: string } }
  return { before: previous?.price, after: current?.price }
}

/** The body of every recorded event, in commit order, as it was or will be sent. */
export async function* eventBodies(sql: Sql): AsyncGenerator<string> {
  for await (const rows of sql<{ body: string }[]>`select body from event order by seq`.cursor(500))
    for (const { body } of rows) yield body
}

type Moment = { provider: string; at: Instant }

/** Returns those moments at which something of a provider was published with events that are still stored. */
export async function momentsWithEvents(sql: Sql, moments: Moment[]): Promise<Moment[]> {
  return sql<Moment[]>`
    select distinct m.provider, m.at
    from unnest(${moments.map(({ provider }) => provider)}::text[], ${moments.map(({ at }) => at)}::timestamptz[])
      as m (provider, at)
    where exists (select from event where eligible_at = m.at and event.provider = m.provider)`
}

/** How many of the newest events are looked through for examples, and how long a body may be to be one. */
const LOOKED_THROUGH = 5_000
const EXAMPLE_BYTES = 8 * 1024

/** The newest body of each type among the newest events. */
export async function newestBodies(sql: Sql): Promise<Map<string, string>> {
  const rows = await sql<{ type: string; body: string }[]>`
    select distinct on (type) type, body
    from (select seq, type, body from event order by seq desc limit ${LOOKED_THROUGH}) as newest
    where type <> 'webhook.test' and octet_length(body) <= ${EXAMPLE_BYTES}
    order by type, seq desc`
  return new Map(rows.map(({ type, body }) => [type, body]))
}

/**
 * Records the event of a test delivery. It counts as matched: only the webhook that is tested receives it. The same
 * event is recorded once.
 */
export async function recordTestEvent(
  tx: Tx,
  { id, type, body, seq, at }: { id: string; type: string; body: string; seq: number; at: Instant },
): Promise<void> {
  await tx`
    insert into event (seq, event_id, type, eligible_at, body, matched_at)
    values (${seq}, ${id}, ${type}, ${at}, ${body}, ${at})
    on conflict (event_id) do nothing`
}

/** Locks the oldest events that no webhook was matched with yet, in commit order. Two callers get different events. */
export async function lockUnmatched(tx: Tx, limit: number): Promise<string[]> {
  const rows = await tx<{ seq: string }[]>`
    select seq from event where matched_at is null order by seq limit ${limit} for no key update skip locked`
  return rows.map((row) => row.seq)
}

/** Locks the oldest event that not all webhooks were matched with, and returns how far it was. Two callers get different ones. */
export async function lockPartlyMatched(tx: Tx): Promise<{ seq: string; after: string | null } | undefined> {
  const [row] = await tx<{ seq: string; after: string | null }[]>`
    select seq, matched_to as after from event
    where matched_at is null order by seq limit 1 for no key update skip locked`
  return row
}

/** Records that an event was matched with the webhooks up to this one. */
export async function markMatchedTo(tx: Tx, seq: string, webhookId: string): Promise<void> {
  await tx`update event set matched_to = ${webhookId} where seq = ${seq}`
}

/** Marks events as matched with every webhook. */
export async function markMatched(tx: Tx, seqs: string[], now: Instant): Promise<void> {
  await tx`update event set matched_at = ${now} where seq = any (${seqs}::bigint[])`
}

/** Deletes events that nothing refers to any more. Returns how many. */
export async function deleteEvents(db: Db, seqs: string[]): Promise<number> {
  if (seqs.length === 0) return 0
  const rows = await db`delete from event where seq = any (${seqs}::bigint[]) returning 1`
  return rows.length
}
