import { defineSearchAttributeKey } from '@temporalio/common'

/**
 * What an operator finds deliveries by in the Temporal UI, registered before any worker runs. Each attribute costs
 * Temporal 1 to 2 ms of CPU for every delivery: event types are found by workflow id, workspaces by memo.
 */
export const WEBHOOK_ID = defineSearchAttributeKey('WebhookId', 'KEYWORD')
export const DELIVERY_STATUS = defineSearchAttributeKey('DeliveryStatus', 'KEYWORD')
