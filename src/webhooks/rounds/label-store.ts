import type { Db } from '../../lib/sql.ts'
import type { DeliveryLabel } from './label-rules.ts'

export type LabelRow = Omit<DeliveryLabel, 'workflowId' | 'provider' | 'subject'> & {
  workflowId: string | null
  provider: string | null
  subject: string | null
}

/**
 * Selects the labels of the deliveries that the query `changed` names, and what `more` adds. The limits keep these
 * look-ups by key; joined, their order would depend on statistics.
 */
export const labelsOfChanged = (db: Db, more = db``) => db`
  select c.delivery_id as "deliveryId", c.workflow_id as "workflowId", c.webhook_id as "webhookId",
         w.name as "webhookName", s.name as "workspaceName", c.event_id as "eventId", e.type as "eventType", e.provider,
         e.subject ${more}
  from changed c
  cross join lateral (select type, provider, coalesce(document, resources[1]) as subject from event
                      where event_id = c.event_id limit 1) e
  cross join lateral (select name, workspace_id from webhook where webhook_id = c.webhook_id limit 1) w
  cross join lateral (select name from workspace where workspace_id = w.workspace_id limit 1) s`

export const labelOf = ({ workflowId, provider, subject, ...row }: LabelRow): DeliveryLabel => ({
  ...row,
  ...(workflowId && { workflowId }),
  ...(provider && { provider }),
  ...(subject && { subject }),
})
