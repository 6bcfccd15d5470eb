import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { ALIAS_EVENTS, PRICE_EVENTS, PROVIDER_EVENTS } from './match-rules.ts'

export async function countWebhooks(db: Db): Promise<number> {
  const [row] = await db<{ count: number }[]>`select count(*)::integer as count from webhook`
  return row!.count
}

/**
 * Turns events into deliveries that are due now: subscription rules 1 to 9 of the specification, in one statement for
 * all webhooks. Each event meets the version of each webhook that was in force at its eligibleAt, and the groups as
 * their members were then. Returns how many deliveries it made.
 */
export async function insertDeliveries(tx: Tx, seqs: string[], now: Instant): Promise<number> {
  // The planner cannot know how many events wait and guesses one; its nested loops then took 20 to 40 times as long.
  await tx`select set_config('enable_nestloop', 'off', true)`
  const [row] = await tx<{ count: number }[]>`
    with unmatched as materialized (
      select seq, event_id, type, provider, eligible_at, resources, members, document, group_id, credit_priced
      from event
      where seq = any (${seqs}::bigint[])
    ),
    -- Events of one kind, such as the thousand of a re-priced provider, meet the webhooks once.
    batch as materialized (
      select *, min(seq) over (partition by type, provider, credit_priced, eligible_at) as kind,
             case when type = 'tos.changed' then array[document] else resources end as names
      from unmatched
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
      -- Webhooks in key order: the foreign key locks them in the order of the rows (README.md).
      order by w.webhook_id, w.seq
      on conflict (webhook_id, event_id) do nothing
      returning 1
    )
    select count(*)::integer as count from made`
  return row!.count
}
