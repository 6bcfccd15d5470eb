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

/** What a round did, or one shard of it. */
export type RoundReport = {
  started: number
  succeeded: number
  failed: number
  unclear: number
  unsent: number
  /** Attempts that an internal error prevented: they are among the unclear ones and are due again. */
  faults: number
  /** Shards whose time ended while deliveries were due. */
  cutShort: number
}

/** The attempt that a process has just made of a delivery. `fault` is the message of an internal error. */
export type EndedAttempt = {
  deliveryId: string
  cycle: number
  number: number
  run: number
  outcome: RoundOutcome
  tookMs?: number
  fault?: string
}

export const emptyReport = (): RoundReport => ({
  started: 0,
  succeeded: 0,
  failed: 0,
  unclear: 0,
  unsent: 0,
  faults: 0,
  cutShort: 0,
})
