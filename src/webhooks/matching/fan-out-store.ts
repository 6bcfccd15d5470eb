import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'
import {
  ALIAS_EVENTS,
  MAX_EVENTS_PER_MATCH,
  MAX_PAIRS_PER_MATCH,
  PRICE_EVENTS,
  PROVIDER_EVENTS,
} from './match-rules.ts'

export type FanOut = { events: number; deliveries: number }

/** A webhook that is deleted while a statement matches it fails the statement; the next try does not see it. */
const FOREIGN_KEY_VIOLATION = '23503'
const TRIES = 5

/**
 * Turns the oldest unmatched events into deliveries that are due now: one statement for all webhooks, which also marks
 * the events as matched. Events are taken in commit order; two that run at once take different events. `events` is 0
 * when none is left. Paused webhooks get their deliveries too: what they become is decided when they are due.
 */
export async function fanOut(sql: Sql, { now, limit }: { now: Instant; limit?: number }): Promise<FanOut> {
  for (let tries = 1; ; tries++) {
    try {
      return (await sql.begin((tx) => match(tx, now, limit ?? MAX_EVENTS_PER_MATCH))) as FanOut
    } catch (error) {
      const retry = (error as { code?: string }).code === FOREIGN_KEY_VIOLATION && tries < TRIES
      if (!retry) throw error
    }
  }
}

/**
 * Subscription rules 1 to 9 of the specification. Each event meets the version of each webhook that was in force at its
 * eligibleAt, and the groups as their members stood then.
 */
async function match(tx: Tx, now: Instant, limit: number): Promise<FanOut> {
  // The planner cannot know how many events wait and guesses one; its nested loops then took 20 to 40 times as long.
  await tx`select set_config('enable_nestloop', 'off', true)`
  const [done] = await tx<FanOut[]>`
    with locked as materialized (
      select seq, event_id, type, provider, eligible_at, resources, members, document, group_id, credit_priced
      from event
      where matched_at is null
      order by seq
      limit (select greatest(1, least(${limit}::bigint, ${MAX_PAIRS_PER_MATCH} / greatest(1, count(*)))) from webhook)
      for no key update skip locked
    ),
    -- Events of one kind, such as the thousand of a re-priced provider, meet the webhooks once.
    batch as materialized (
      select *, min(seq) over (partition by type, provider, credit_priced, eligible_at) as kind,
             case when type = 'tos.changed' then array[document] else resources end as names
      from locked
    ),
    kinds as (select distinct kind, type, provider, credit_priced, eligible_at from batch),
    -- Rules 1 to 3 and 5: who covers the provider, a credit-priced one having to be named but for its own news, and
    -- the filter entries and the groups that narrow what is sent.
    covering as materialized (
      select k.kind, v.webhook_id, v.valid_from, w.workspace_id,
             v.by_groups and k.type <> all (${PROVIDER_EVENTS}::text[]) as by_groups,
             case k.type when 'provider.added' then '{}' when 'tos.changed' then coalesce(f.documents, '{}')
                         else coalesce(f.resources, '{}') end as entries
      from kinds k
      join webhook_version v on v.valid_from <= k.eligible_at and (v.valid_to is null or v.valid_to > k.eligible_at)
        and k.type = any (v.event_types)
        and (k.provider = any (v.providers)
             or v.every_provider and (not k.credit_priced or k.type = any (${PROVIDER_EVENTS}::text[])))
      join webhook w on w.webhook_id = v.webhook_id
      left join webhook_filter f on f.webhook_id = v.webhook_id and f.valid_from = v.valid_from
        and f.provider = k.provider
    ),
    -- The groups an event is about: those that list its resource at its instant, or the one joined or left.
    about as (
      select b.seq, b.kind, b.event_id, b.type, m.group_id
      from (select *, unnest(members) as member from batch where type = any (${PRICE_EVENTS}::text[])) b
      join alias_member m on m.provider = b.provider and m.resource = b.member
        and m.joined_at <= b.eligible_at and (m.left_at is null or m.left_at > b.eligible_at)
      union
      select seq, kind, event_id, type, group_id from batch where type = any (${ALIAS_EVENTS}::text[])
    ),
    -- Rules 4 and 6: what an entry names, or a group lists: the first such group in the webhook's own order.
    narrowed as (
      select c.webhook_id, c.workspace_id, b.seq, b.event_id, null::integer as position, null::uuid as group_id
      from (select kind, webhook_id, workspace_id, unnest(entries) as entry from covering) c
      join (select seq, kind, event_id, unnest(names) as name from batch) b on b.kind = c.kind and b.name = c.entry
      union all
      select c.webhook_id, c.workspace_id, a.seq, a.event_id, g.position,
             case when a.type = any (${PRICE_EVENTS}::text[]) then g.group_id end
      from about a
      join webhook_group g on g.group_id = a.group_id
      join covering c on c.kind = a.kind and c.webhook_id = g.webhook_id and c.valid_from = g.valid_from
    ),
    wanted as (
      select c.webhook_id, c.workspace_id, b.seq, b.event_id, null::uuid as group_id
      from covering c
      join batch b on b.kind = c.kind
      where c.entries = '{}' and not c.by_groups
      union all
      (select distinct on (seq, webhook_id) webhook_id, workspace_id, seq, event_id, group_id
       from narrowed order by seq, webhook_id, position)
    ),
    made as (
      insert into delivery (webhook_id, workspace_id, event_id, alias, due_at, created_at)
      select w.webhook_id, w.workspace_id, w.event_id,
             '{"id":' || to_json(g.group_id::text) || ',"name":' || to_json(g.name) || '}', ${now}, ${now}
      from wanted w
      left join alias_group g on g.group_id = w.group_id
      order by w.seq
      on conflict (webhook_id, event_id) do nothing
      returning 1
    ),
    marked as (
      update event set matched_at = ${now} where seq = any (array(select seq from locked)) returning 1
    )
    select (select count(*)::integer from marked) as events, (select count(*)::integer from made) as deliveries`
  return done!
}
