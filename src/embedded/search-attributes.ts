/** What an operator can find deliveries by in the Temporal UI; all of type Keyword. Written by the workflows. */
export const SEARCH_ATTRIBUTES = ['WebhookId', 'WorkspaceId', 'EventType', 'DeliveryStatus'] as const
