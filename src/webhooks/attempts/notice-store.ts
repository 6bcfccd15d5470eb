import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import type { WorkflowName } from '../workflow-schema.ts'

/** A delivery whose workflow should read its row again, and why. */
export type Notice = WorkflowName & { what: string; createdAt: Instant }

/** Leaves a notice for every pending delivery of a webhook whose workflow waits. A newer notice replaces an older one. */
export async function noticePending(db: Db, webhookId: string, what: string, now: Instant): Promise<void> {
  await db`
    insert into delivery_notice (delivery_id, webhook_id, what, created_at, event_type, workflow_id)
    select d.delivery_id, d.webhook_id, ${what}, ${now}, (select type from event e where e.event_id = d.event_id),
           d.workflow_id
    from delivery d
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.started_cycle > 0
    order by d.delivery_id
    on conflict (delivery_id) do update set what = excluded.what, created_at = excluded.created_at`
}

/** The next notices, oldest first: of one webhook, or of all that have waited since before an instant. */
export async function nextNotices(
  db: Db,
  wanted: { webhookId?: string; before?: Instant; limit: number },
): Promise<Notice[]> {
  const rows = await db<(Notice & { workflowId: string | null })[]>`
    select delivery_id as "deliveryId", what, created_at as "createdAt", event_type as "eventType",
           workflow_id as "workflowId"
    from delivery_notice
    where (${wanted.webhookId ?? null}::uuid is null or webhook_id = ${wanted.webhookId ?? null})
      and (${wanted.before ?? null}::timestamptz is null or created_at < ${wanted.before ?? null})
    order by created_at, delivery_id
    limit ${wanted.limit}`
  return rows.map(({ workflowId, ...notice }) => ({ ...notice, workflowId: workflowId ?? undefined }))
}

/** Deletes notices that were passed on, unless a newer one has taken their place. */
export async function dropNotices(db: Db, passed: Notice[]): Promise<void> {
  const rows = passed.map(({ deliveryId, what, createdAt }) => ({ deliveryId, what, createdAt }))
  await db`
    delete from delivery_notice
    where delivery_id = any (array(
      select n.delivery_id from delivery_notice n
      join jsonb_to_recordset(${db.json(rows)}::jsonb) as p ("deliveryId" uuid, what text, "createdAt" timestamptz)
        on n.delivery_id = p."deliveryId" and n.what = p.what and n.created_at = p."createdAt"
      for update of n skip locked))`
}
