import type { Instant } from '../../lib/instant.ts'
import type { Tx } from '../../lib/sql.ts'
import { TEST_EVENT } from '../attempts/delivery-rules.ts'

type Test = {
  id: string
  body: string
  webhook: { workspaceId: string; id: string }
  at: Instant
  /** The next sequence number of the publication; taken only when the minute has no test event yet. */
  seq: () => number
}

/** Queues a test event and its delivery, or finds those of the same minute. Answers the delivery's id. */
export async function queueTest(tx: Tx, { id, body, webhook, at, seq }: Test): Promise<string> {
  const [known] = await tx<{ deliveryId: string }[]>`
    select delivery_id as "deliveryId" from delivery where webhook_id = ${webhook.id} and event_id = ${id}`
  if (known) return known.deliveryId
  await tx`
    insert into event (seq, event_id, type, eligible_at, body, matched_at)
    values (${seq()}, ${id}, ${TEST_EVENT}, ${at}, ${body}, ${at})
    on conflict (event_id) do nothing`
  const [queued] = await tx<{ deliveryId: string }[]>`
    insert into delivery (webhook_id, workspace_id, event_id, due_at, created_at)
    values (${webhook.id}, ${webhook.workspaceId}, ${id}, ${at}, ${at})
    returning delivery_id as "deliveryId"`
  return queued!.deliveryId
}
