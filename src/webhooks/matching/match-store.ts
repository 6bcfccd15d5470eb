import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { EVERY_PROVIDER } from '../rules.ts'
import type { Subscription } from '../schema.ts'
import { ALIAS_EVENTS, PRICE_EVENTS, PROVIDER_EVENTS } from './match-rules.ts'

/** Counts the webhooks, up to one more than `limit`. */
export async function countWebhooks(db: Db, limit: number): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (select from webhook limit ${limit} + 1) as counted`
  return row!.count
}

/** Returns the last of the next `count` webhooks; undefined when there are no more than that. */
export async function webhookAfter(db: Db, after: string | null, count: number): Promise<string | undefined> {
  const [row] = await db<{ id: string }[]>`
    select webhook_id as id from webhook where webhook_id > ${after ?? NO_ID}::uuid
    order by webhook_id offset ${count} - 1 limit 1`
  return row?.id
}

/** A part of the webhooks, by id. */
export type WebhookRange = { after: string | null; upTo?: string }

const NO_ID = '00000000-0000-0000-0000-000000000000'
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'
const EVERY: WebhookRange = { after: null }

/** Where a match reads what webhooks want: all that were saved, or one that is being edited. */
type Subscriptions = { versions: string; filters: string; groups: string }

const SAVED: Subscriptions = { versions: 'webhook_version', filters: 'webhook_filter', groups: 'webhook_group' }
const DRAFT: Subscriptions = { versions: 'draft_version', filters: 'draft_filter', groups: 'draft_group' }

/**
 * Subscription rules 1 to 9 of the specification: the queries `batch` to `wanted`, which follow `unmatched`. Each event
 * meets the version of each webhook that was in force at its eligibleAt, and the groups as their members were then.
 */
const matching = (db: Db, { versions, filters, groups }: Subscriptions, { after, upTo }: WebhookRange = EVERY) => db`
    -- Events of one kind, such as the thousand of a re-priced provider, meet the webhooks once.
    batch as materialized (
      select *, min(seq) over (partition by type, provider, credit_priced, eligible_at, significance) as kind,
             case when type = 'tos.changed' then array[document] else resources end as names
      from unmatched
    ),
    kinds as (select distinct kind, type, provider, credit_priced, eligible_at, significance from batch),
    -- Rules 1 to 3 and 5: who covers the provider, a credit-priced one having to be named but for its own news, and
    -- the filter entries and the groups that narrow what is sent.
    covering as materialized (
      select k.kind, v.webhook_id, v.valid_from,
             v.min_change, v.by_groups and k.type <> all (${PROVIDER_EVENTS}::text[]) as by_groups,
             case k.type when 'provider.added' then '{}' when 'tos.changed' then coalesce(f.documents, '{}')
                         else coalesce(f.resources, '{}') end as entries
      from kinds k
      join ${db(versions)} v on v.valid_from <= k.eligible_at and (v.valid_to is null or v.valid_to > k.eligible_at)
        and v.webhook_id > ${after ?? NO_ID}::uuid and v.webhook_id <= ${upTo ?? LAST_ID}::uuid
        and k.type = any (v.event_types)
        and (k.provider = any (v.providers)
             or v.every_provider and (not k.credit_priced or k.type = any (${PROVIDER_EVENTS}::text[])))
        -- What has no significance (other events, and changes recorded before it was computed) passes.
        and coalesce(k.significance >= v.min_significance, true)
      left join ${db(filters)} f on f.webhook_id = v.webhook_id and f.valid_from = v.valid_from
        and f.provider = k.provider
    ),
    -- The groups an event is about: those that list its resource at its instant, or the one joined or left.
    about as (
      select b.seq, b.kind, b.event_id, b.type, b.change_percent, m.group_id
      from (select *, unnest(members) as member from batch where type = any (${PRICE_EVENTS}::text[])) b
      join alias_member m on m.provider = b.provider and m.resource = b.member
        and m.joined_at <= b.eligible_at and (m.left_at is null or m.left_at > b.eligible_at)
      union
      select seq, kind, event_id, type, change_percent, group_id from batch where type = any (${ALIAS_EVENTS}::text[])
    ),
    -- Rules 4 and 6: what an entry names, or a group lists: the first such group in the webhook's own order.
    narrowed as (
      select c.webhook_id, b.seq, b.event_id, null::integer as position, null::uuid as group_id
      from (select kind, webhook_id, min_change, unnest(entries) as entry from covering) c
      join (select seq, kind, event_id, change_percent, unnest(names) as name from batch) b
        on b.kind = c.kind and b.name = c.entry
      where coalesce(b.change_percent >= c.min_change, true)
      union all
      select c.webhook_id, a.seq, a.event_id, g.position,
             case when a.type = any (${PRICE_EVENTS}::text[]) then g.group_id end
      from about a
      join ${db(groups)} g on g.group_id = a.group_id
      join covering c on c.kind = a.kind and c.webhook_id = g.webhook_id and c.valid_from = g.valid_from
      where coalesce(a.change_percent >= c.min_change, true)
    ),
    wanted as (
      select c.webhook_id, b.seq, b.event_id, null::uuid as group_id
      from covering c
      join batch b on b.kind = c.kind
      where c.entries = '{}' and not c.by_groups
        -- What has no percentage (a price that begins or ends, other events) passes.
        and coalesce(b.change_percent >= c.min_change, true)
      union all
      (select distinct on (seq, webhook_id) webhook_id, seq, event_id, group_id
       from narrowed order by seq, webhook_id, position)
    )`

/**
 * The same for subscriptions that are saved elsewhere: the queries `batch` to `wanted`, which follow `draft_version`,
 * `draft_filter`, `draft_group` and `unmatched`.
 */
export const draftMatching = (db: Db) => matching(db, DRAFT)

/** What matching needs of an event. */
export const matchedColumns = (db: Db) => db`
  seq, event_id, type, provider, eligible_at, resources, members, document, significance, group_id, credit_priced,
  change_percent`

/** The planner cannot know how many events wait and guesses one; its nested loops then took 20 to 40 times as long. */
export const withoutNestedLoops = (tx: Tx) => tx`select set_config('enable_nestloop', 'off', true)`

/** Turns events into deliveries that are due now, in one statement for these webhooks. Returns how many that made. */
export async function insertDeliveries(tx: Tx, seqs: string[], now: Instant, range = EVERY): Promise<number> {
  await withoutNestedLoops(tx)
  const [row] = await tx<{ count: number }[]>`
    with unmatched as materialized (
      select ${matchedColumns(tx)}
      from event
      where seq = any (${seqs}::bigint[])
    ),
    ${matching(tx, SAVED, range)},
    made as (
      insert into delivery (webhook_id, workspace_id, event_id, alias, due_at, created_at)
      select w.webhook_id, h.workspace_id, w.event_id,
             '{"id":' || to_json(g.group_id::text) || ',"name":' || to_json(g.name) || '}', ${now}, ${now}
      from wanted w
      join webhook h on h.webhook_id = w.webhook_id
      left join alias_group g on g.group_id = w.group_id
      -- Webhooks in key order: the foreign key locks them in the order of the rows (README.md).
      order by w.webhook_id, w.seq
      on conflict (webhook_id, event_id) do nothing
      returning 1
    )
    select count(*)::integer as count from made`
  return row!.count
}

/** How many events since an instant a webhook with this subscription would have received, by event type. */
export async function countMatches(tx: Tx, wanted: Subscription, since: Instant): Promise<{ [type: string]: number }> {
  const filters = Object.entries(wanted.filters).map(([provider, filter]) => ({ provider, ...filter }))
  const slugs = wanted.providers.filter((provider) => provider !== EVERY_PROVIDER)
  await withoutNestedLoops(tx)
  const rows = await tx<{ type: string; count: number }[]>`
    with draft_version as materialized (
      select gen_random_uuid() as webhook_id, '-infinity'::timestamptz as valid_from, null::timestamptz as valid_to,
             ${wanted.eventTypes}::text[] as event_types, ${slugs}::text[] as providers,
             ${wanted.providers.includes(EVERY_PROVIDER)}::boolean as every_provider,
             ${wanted.aliases.length > 0}::boolean as by_groups,
             ${wanted.minSignificance}::significance as min_significance, ${wanted.minChange}::numeric as min_change
    ),
    draft_filter as (
      select v.webhook_id, v.valid_from, f.*
      from draft_version v,
           jsonb_to_recordset(${tx.json(filters)}::jsonb) as f (provider text, resources text[], documents text[])
    ),
    draft_group as (
      select v.webhook_id, v.valid_from, g.id as group_id, g.position
      from draft_version v, unnest(${wanted.aliases}::uuid[]) with ordinality as g (id, position)
    ),
    unmatched as materialized (
      select ${matchedColumns(tx)}
      from event
      where eligible_at >= ${since} and type = any (${wanted.eventTypes}::text[])
    ),
    ${draftMatching(tx)}
    select e.type, count(*)::integer as count
    from wanted w join event e using (seq)
    group by e.type`
  return Object.fromEntries(rows.map(({ type, count }) => [type, count]))
}
