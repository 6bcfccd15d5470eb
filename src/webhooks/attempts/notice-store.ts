import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'

/** A delivery whose workflow should read its row again, and why. */
export type Notice = { deliveryId: string; what: string }

/** Leaves a notice for every pending delivery of a webhook whose workflow waits; the newest notice stands. */
export async function noticePending(db: Db, webhookId: string, what: string, now: Instant): Promise<void> {
  await db`
    insert into delivery_notice (delivery_id, webhook_id, what, created_at)
    select delivery_id, webhook_id, ${what}, ${now}
    from delivery
    where webhook_id = ${webhookId} and status = 'pending' and started_cycle > 0
    on conflict (delivery_id) do update set what = excluded.what, created_at = excluded.created_at`
}

/** The next notices, oldest first: of one webhook, or of all that have waited since before an instant. */
export async function nextNotices(
  db: Db,
  wanted: { webhookId?: string; before?: Instant; limit: number },
): Promise<Notice[]> {
  return db<Notice[]>`
    select delivery_id as "deliveryId", what
    from delivery_notice
    where (${wanted.webhookId ?? null}::uuid is null or webhook_id = ${wanted.webhookId ?? null})
      and (${wanted.before ?? null}::timestamptz is null or created_at < ${wanted.before ?? null})
    order by created_at, delivery_id
    limit ${wanted.limit}`
}

/** Forgets notices that were passed on, unless a newer one has taken their place. */
export async function dropNotices(db: Db, passed: Notice[]): Promise<void> {
  await db`
    delete from delivery_notice n
    using jsonb_to_recordset(${db.json(passed)}::jsonb) as p ("deliveryId" uuid, what text)
    where n.delivery_id = p."deliveryId" and n.what = p.what`
}
