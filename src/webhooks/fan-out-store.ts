import type { Instant } from '../lib/instant.ts'
import type { Db, Sql } from '../lib/sql.ts'
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
      return await match(sql, now, limit ?? MAX_EVENTS_PER_MATCH)
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
async function match(db: Db, now: Instant, limit: number): Promise<FanOut> {
  const [done] = await db<FanOut[]>`
    with batch as materialized (
      select seq, event_id, type, provider, eligible_at, resources, members, document, group_id, credit_priced
      from event
      where matched_at is null
      order by seq
      limit (select greatest(1, least(${limit}::bigint, ${MAX_PAIRS_PER_MATCH} / greatest(1, count(*)))) from webhook)
      for no key update skip locked
    ),
    -- Rules 1 and 2: who covers the event's provider. A credit-priced one has to be named, but for its own news.
    covering as (
      select b.*, v.webhook_id, v.valid_from, v.by_groups, w.workspace_id,
             coalesce(f.resources, '{}') as wanted_resources, coalesce(f.documents, '{}') as wanted_documents
      from batch b
      join webhook_version v on v.valid_from <= b.eligible_at and (v.valid_to is null or v.valid_to > b.eligible_at)
        and b.type = any (v.event_types)
        and (b.provider = any (v.providers)
             or v.every_provider and (not b.credit_priced or b.type = any (${PROVIDER_EVENTS}::text[])))
      join webhook w on w.webhook_id = v.webhook_id
      left join webhook_filter f on f.webhook_id = v.webhook_id and f.valid_from = v.valid_from
        and f.provider = b.provider
    ),
    -- The groups an event is about: those that list its resource at its instant, or the one joined or left.
    about as (
      select b.seq, m.group_id
      from batch b
      join alias_member m on m.provider = b.provider and m.resource = any (b.members)
        and m.joined_at <= b.eligible_at and (m.left_at is null or m.left_at > b.eligible_at)
      where b.type = any (${PRICE_EVENTS}::text[])
      union
      select seq, group_id from batch where type = any (${ALIAS_EVENTS}::text[])
    ),
    -- Rule 6, and the first such group in the webhook's own order.
    by_group as (
      select distinct on (a.seq, g.webhook_id, g.valid_from) a.seq, g.webhook_id, g.valid_from, g.group_id
      from about a
      join webhook_group g on g.group_id = a.group_id
      order by a.seq, g.webhook_id, g.valid_from, g.position
    ),
    wanted as (
      select c.seq, c.webhook_id, c.workspace_id, c.event_id,
             case when c.type = any (${PRICE_EVENTS}::text[]) then
               '{"id":' || to_json(n.group_id::text) || ',"name":' || to_json(n.name) || '}' end as alias
      from covering c
      left join by_group g on g.seq = c.seq and g.webhook_id = c.webhook_id and g.valid_from = c.valid_from
      left join alias_group n on n.group_id = g.group_id
      where case c.type
        when 'provider.added' then true
        when 'tos.changed' then c.wanted_documents = '{}' or c.document = any (c.wanted_documents)
        else g.group_id is not null or c.wanted_resources && c.resources
             or not c.by_groups and c.wanted_resources = '{}' end
    ),
    made as (
      insert into delivery (webhook_id, workspace_id, event_id, alias, due_at, created_at)
      select webhook_id, workspace_id, event_id, alias, ${now}, ${now} from wanted order by seq
      on conflict (webhook_id, event_id) do nothing
      returning 1
    ),
    marked as (
      update event set matched_at = ${now} from batch where event.seq = batch.seq returning 1
    )
    select (select count(*)::integer from marked) as events, (select count(*)::integer from made) as deliveries`
  return done!
}
