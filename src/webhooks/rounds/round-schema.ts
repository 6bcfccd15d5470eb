/** A due delivery as a round plans with it. */
export type DueDelivery = {
  deliveryId: string
  webhookId: string
  workspaceId: string
  dueAt: string
  failing: boolean
}

/** How an attempt of a round ended. `unclear`: not started, our fault, or not sent. */
export type RoundOutcome = 'succeeded' | 'failed' | 'unclear'
