import { defineSearchAttributeKey } from '@temporalio/common'

/** What an operator finds deliveries by in the Temporal UI; registered before any worker runs. */
export const WEBHOOK_ID = defineSearchAttributeKey('WebhookId', 'KEYWORD')
export const WORKSPACE_ID = defineSearchAttributeKey('WorkspaceId', 'KEYWORD')
export const EVENT_TYPE = defineSearchAttributeKey('EventType', 'KEYWORD')
export const DELIVERY_STATUS = defineSearchAttributeKey('DeliveryStatus', 'KEYWORD')
