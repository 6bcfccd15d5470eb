import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { bodyOf, LOG_LENGTH } from '../attempts/delivery-rules.ts'
import type { EarlierPost } from '../attempts/outcome-schema.ts'
import { sentHeaders } from '../attempts/signing.ts'
import { isKept } from '../retention/retention-store.ts'
import type { WebhookRef } from '../schema.ts'
import { deliveryWorkflowId } from '../workflow-schema.ts'
import { meets } from './delivery-filter-store.ts'
import type { AttemptPosition, DeliveryFilter, DeliveryView } from './delivery-schema.ts'

/** A body up to this size is part of the log; a larger one is read by itself, with {@link readPayload}. */
const PAYLOAD_IN_LOG_BYTES = 16 * 1024

const MAX_ATTEMPTS_SHOWN = 20

type Row = Omit<
  DeliveryView,
  'attempts' | 'provider' | 'subject' | 'nextTryAt' | 'error' | 'finishedAt' | 'payload'
> & {
  provider: string | null
  subject: string | null
  nextTryAt: Instant | null
  error: string | null
  finishedAt: Instant | null
  eventBody: string | null
  alias: string | null
  attempts: {
    cycle: number
    number: number
    run: number
    present: boolean
    at: string
    outcome: DeliveryView['attempts'][number]['outcome'] | null
    status: number | null
    error: string | null
    durationMs: number | null
    response: string | null
    earlierPosts: EarlierPost[] | null
    timestamp: string | null
    signature: string | null
  }[]
}

/** Which deliveries, and which attempts of them: the newest, or those before one of them. */
type DeliveryQuery = { filter?: DeliveryFilter; deliveryId?: string; before?: AttemptPosition; now?: Instant }

/**
 * The newest 50 deliveries of a webhook that meet a filter, or the one that is named, each with its newest 20 attempts, oldest first, and the
 * position that those before them are asked for with. What used up an attempt of the present cycle is among the newest
 * however many faults came after it. None are shown of a webhook that is not this workspace's.
 */
export async function readDeliveries(
  db: Db,
  { workspaceId, id }: WebhookRef,
  { filter = {}, deliveryId, before, now }: DeliveryQuery = {},
): Promise<DeliveryView[]> {
  const rows = await db<Row[]>`
    select d.delivery_id as id, d.event_id as "eventId", e.type as "eventType", e.provider,
           coalesce(e.document, e.resources[1]) as subject, d.status, d.cycle, d.created_at as "createdAt",
           d.due_at as "nextTryAt", d.finished_at as "finishedAt", d.error, d.not_sent is not null as "notSent", d.alias,
           octet_length(e.body) + coalesce(octet_length(d.alias) + 9, 0) as "payloadBytes",
           case when octet_length(e.body) <= ${PAYLOAD_IN_LOG_BYTES} then e.body end as "eventBody",
           (select coalesce(json_agg(json_build_object(
                     'cycle', a.cycle, 'number', a.number, 'run', a.run, 'present', a.present,
                     'at', to_char(a.started_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
                     'outcome', a.outcome, 'status', a.status, 'error', a.error, 'durationMs', a.duration_ms,
                     'response', a.response, 'earlierPosts', a.earlier_posts,
                     'timestamp', a.webhook_timestamp::text, 'signature', a.webhook_signature) order by a.cycle, a.number, a.run), '[]')
            from (select * from (
                    select *, cycle = d.cycle and outcome is distinct from 'platform' as present
                    from attempt where delivery_id = d.delivery_id) all_attempts
                  where ${before ? db`not present and (cycle, number, run) < (${before.cycle}, ${before.number}, ${before.run})` : db`true`}
                  order by present desc, cycle desc, number desc, run desc
                  limit ${MAX_ATTEMPTS_SHOWN + 1}) a) as attempts
    from delivery d
    join event e using (event_id)
    where d.webhook_id = ${id} and d.workspace_id = ${workspaceId}
      and (${deliveryId ?? null}::uuid is null or d.delivery_id = ${deliveryId ?? null}) and ${isKept(db, now)}
      and ${meets(db, filter)}
    order by d.created_at desc, d.delivery_id desc
    limit ${LOG_LENGTH}`
  return rows.map(({ provider, subject, nextTryAt, finishedAt, error, eventBody, alias, attempts: found, ...row }) => {
    const { attempts, olderAttempts } = pageOf(found)
    return {
      ...row,
      ...(olderAttempts && { olderAttempts }),
      ...(provider && { provider }),
      ...(subject && { subject }),
      ...(nextTryAt && { nextTryAt }),
      ...(finishedAt && { finishedAt }),
      ...(error && { error }),
      ...(eventBody && { payload: bodyOf(eventBody, alias ?? undefined) }),
      attempts: attempts.map(
        ({
          cycle,
          number,
          at,
          outcome,
          status,
          error: reason,
          durationMs,
          response,
          earlierPosts,
          timestamp,
          signature,
        }) => ({
          cycle,
          number,
          at: at as Instant,
          outcome: outcome ?? 'started',
          ...(status !== null && { status }),
          ...(reason !== null && { error: reason }),
          ...(durationMs !== null && { durationMs }),
          ...(response !== null && { response }),
          ...(earlierPosts !== null && { earlierPosts }),
          ...(deliveryId &&
            timestamp &&
            signature && { headers: sentHeaders({ id: row.eventId, timestamp, signature }) }),
        }),
      ),
    }
  })
}

/** Leaves out the attempt that only says that there are more, which is the oldest of those before the present cycle. */
function pageOf(found: Row['attempts']): { attempts: Row['attempts']; olderAttempts?: string } {
  if (found.length <= MAX_ATTEMPTS_SHOWN) return { attempts: found }
  const more = found.findIndex(({ present }) => !present)
  const attempts = found.filter((_, index) => index !== more)
  const oldest = attempts.find(({ present }) => !present)!
  return { attempts, olderAttempts: `${oldest.cycle}.${oldest.number}.${oldest.run}` }
}

/** The exact text that a delivery sends, whatever its size. */
export async function readPayload(
  db: Db,
  { workspaceId, id }: WebhookRef,
  deliveryId: string,
): Promise<string | undefined> {
  const [row] = await db<{ body: string; alias: string | null }[]>`
    select e.body, d.alias from delivery d join event e using (event_id)
    where d.delivery_id = ${deliveryId} and d.webhook_id = ${id} and d.workspace_id = ${workspaceId} and ${isKept(db)}`
  return row && bodyOf(row.body, row.alias ?? undefined)
}

/** The id of the workflow that makes a delivery's attempts. */
export async function workflowIdOf(db: Db, deliveryId: string): Promise<string> {
  const [row] = await db<{ eventType: string; workflowId: string | null }[]>`
    select e.type as "eventType", d.workflow_id as "workflowId"
    from delivery d join event e using (event_id) where d.delivery_id = ${deliveryId}`
  return deliveryWorkflowId({ deliveryId, eventType: row?.eventType ?? '', workflowId: row?.workflowId ?? undefined })
}

/** The exact text that was sent to a webhook with an event, when the log still has it. */
export async function sentBody(db: Db, { workspaceId, id }: WebhookRef, eventId: string): Promise<string | undefined> {
  const [row] = await db<{ body: string; alias: string | null }[]>`
    select e.body, d.alias from delivery d join event e using (event_id)
    where d.webhook_id = ${id} and d.workspace_id = ${workspaceId} and d.event_id = ${eventId} and ${isKept(db)}`
  return row && bodyOf(row.body, row.alias ?? undefined)
}
