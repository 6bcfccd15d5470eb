import type { Db } from '../../lib/sql.ts'

export type WaitingDeliveries = {
  due: number
  inFlight: number
  later: number
  paused: number
  oldestDueSeconds: number
}

/** Counts the deliveries that are not finished. Two partial indexes hold exactly these. */
export async function waitingDeliveries(db: Db): Promise<WaitingDeliveries> {
  const [row] = await db<WaitingDeliveries[]>`
    select count(*) filter (where state = 'active' and due_at <= now)::int as due,
           (select count(*)::int from delivery where claimed_at is not null) as "inFlight",
           count(*) filter (where due_at > now)::int as later,
           count(*) filter (where state = 'paused' and due_at <= now)::int as paused,
           coalesce(extract(epoch from max(now - due_at) filter (where state = 'active' and due_at <= now)), 0)::float8
             as "oldestDueSeconds"
    from clock_timestamp() as now,
         lateral (select webhook_id, due_at from delivery where status = 'pending' and claimed_at is null) d
    join webhook w using (webhook_id)`
  return row!
}

export type WebhooksByState = { state: 'active' | 'failing' | 'paused'; count: number }[]

/** Counts webhooks. A failing one is active, and its last attempt failed. */
export async function webhooksByState(db: Db): Promise<WebhooksByState> {
  return db<WebhooksByState>`
    select case when state = 'paused' then 'paused' when failures_in_row > 0 then 'failing' else 'active' end as state,
           count(*)::int as count
    from webhook group by 1`
}

export type ReviewAges = {
  kind: 'prices' | 'document'
  age: '1h' | '1d' | '7d' | 'older'
  count: number
  oldest: number
}[]

/** Counts what waits for a person by how long it has waited. */
export async function reviewAges(db: Db): Promise<ReviewAges> {
  return db<ReviewAges>`
    select kind, case when waited < interval '1 hour' then '1h' when waited < interval '1 day' then '1d'
                      when waited < interval '7 days' then '7d' else 'older' end as age,
           count(*)::int as count, extract(epoch from max(waited))::float8 as oldest
    from (select 'prices' as kind, clock_timestamp() - opened_at as waited from review where decided_at is null
          union all
          select 'document', clock_timestamp() - held_at from document_version where status = 'held') as items
    group by 1, 2`
}

export type Connections = { application: string; state: string; count: number }[]

/** Counts the connections of all our processes to this database, by what they do. */
export async function connectionsByState(db: Db): Promise<Connections> {
  return db<Connections>`
    select application_name as application, coalesce(state, 'unknown') as state, count(*)::int as count
    from pg_stat_activity
    where datname = current_database() and usename = current_user and backend_type = 'client backend'
    group by 1, 2`
}
