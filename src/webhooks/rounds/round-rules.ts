/** A due delivery as a round plans with it. */
export type DueDelivery = {
  deliveryId: string
  webhookId: string
  workspaceId: string
  dueAt: string
  failing: boolean
}

/** How an attempt of a round ended. `unclear`: not started, a fault of ours, or not sent. */
export type RoundOutcome = 'succeeded' | 'failed' | 'unclear'

/** A round stops starting deliveries this long after its check began (specification, Timing and retries). */
export const STOP_STARTING_AFTER_MS = 200_000

/** How many attempts at once a webhook gets before it has answered well in this round, and after it has failed. */
const UNPROVEN_WINDOW = 2
const FAILING_WINDOW = 1
/** Share of all slots that failing webhooks may hold, so that the five seconds each takes cost the others nothing. */
const FAILING_SHARE = 0.25

/** A queue lets go of its started deliveries after this many, so that it stays small however much is due. */
const FORGET_STARTED_AFTER = 500

type WebhookQueue = {
  workspaceId: string
  queue: DueDelivery[]
  next: number
  inFlight: number
  health: 'unproven' | 'proven' | 'failing'
}

/**
 * The order of one round (specification, Timing and retries; design.md section 4): the next delivery is the oldest due
 * one of the workspace with the fewest started in this round, among those whose webhook has a free slot.
 */
export class RoundPlan {
  readonly #limits: { all: number; perWebhook: number }
  readonly #webhooks = new Map<string, WebhookQueue>()
  readonly #workspaces = new Map<string, Map<string, WebhookQueue>>()
  readonly #started: Map<string, number>
  /** Waiting, in flight, or skipped. */
  readonly #known = new Set<string>()
  #inFlight = 0
  #failingInFlight = 0

  /** @param started deliveries started in this round before, by workspace: when a round goes on after a crash */
  constructor(limits: { all: number; perWebhook: number }, started: Iterable<[string, number]> = []) {
    this.#limits = limits
    this.#started = new Map(started)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Adds due deliveries, each webhook's in the order they were due. Returns how many were not known before. */
  add(due: DueDelivery[]): number {
    const fresh = due.filter((item) => !this.#known.has(item.deliveryId))
    for (const item of fresh) {
      this.#known.add(item.deliveryId)
      const webhook = this.#queueOf(item)
      webhook.queue.push(item)
      this.#waiting(item.workspaceId).set(item.webhookId, webhook)
    }
    return fresh.length
  }

  /** Takes the deliveries to start now, at most `limit`, in order. */
  take(limit = Number.POSITIVE_INFINITY): DueDelivery[] {
    const taken: DueDelivery[] = []
    const full = new Set<string>()
    while (taken.length < limit && this.#inFlight < this.#limits.all) {
      const workspaceId = this.#fewestStarted(full)
      if (workspaceId === undefined) break
      const item = this.#oldest(workspaceId)
      if (item) taken.push(this.#start(item))
      else full.add(workspaceId)
    }
    return taken
  }

  /** A started delivery's attempt is over: its slot is free again. Postgres remembers that this round started it. */
  finish(item: DueDelivery, outcome: RoundOutcome): void {
    this.#known.delete(item.deliveryId)
    this.#release(item, outcome)
  }

  /** A delivery that was taken could not be claimed: its slot is free again, and this round does not take it again. */
  skip(item: DueDelivery): void {
    this.#release(item, 'unclear')
  }

  /** How many deliveries the plan remembers. */
  get size(): number {
    return this.#known.size
  }

  #release(item: DueDelivery, outcome: RoundOutcome): void {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight--
    webhook.inFlight--
    if (webhook.health === 'failing') this.#failingInFlight--
    if (outcome === 'succeeded') this.#turn(webhook, 'proven')
    if (outcome === 'failed') this.#turn(webhook, 'failing')
  }

  #turn(webhook: WebhookQueue, health: WebhookQueue['health']): void {
    if (webhook.health === 'failing') this.#failingInFlight -= webhook.inFlight
    webhook.health = health
    if (webhook.health === 'failing') this.#failingInFlight += webhook.inFlight
  }

  #start(item: DueDelivery): DueDelivery {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight++
    webhook.inFlight++
    if (webhook.health === 'failing') this.#failingInFlight++
    this.#started.set(item.workspaceId, (this.#started.get(item.workspaceId) ?? 0) + 1)
    return item
  }

  #fewestStarted(except: Set<string>): string | undefined {
    let best: string | undefined
    let fewest = Number.POSITIVE_INFINITY
    for (const workspaceId of this.#workspaces.keys()) {
      const started = this.#started.get(workspaceId) ?? 0
      if (started < fewest && !except.has(workspaceId)) {
        best = workspaceId
        fewest = started
      }
    }
    return best
  }

  /** Removes and returns the oldest due delivery of a workspace whose webhook may take one more. */
  #oldest(workspaceId: string): DueDelivery | undefined {
    const webhooks = this.#waiting(workspaceId)
    let best: WebhookQueue | undefined
    for (const webhook of webhooks.values()) {
      if (this.#mayTake(webhook) && (!best || head(webhook).dueAt < head(best).dueAt)) best = webhook
    }
    if (!best) return undefined
    const item = head(best)
    best.next++
    if (best.next === best.queue.length) {
      best.queue = []
      best.next = 0
      webhooks.delete(item.webhookId)
      if (webhooks.size === 0) this.#workspaces.delete(workspaceId)
    } else if (best.next >= FORGET_STARTED_AFTER) {
      best.queue = best.queue.slice(best.next)
      best.next = 0
    }
    return item
  }

  #mayTake(webhook: WebhookQueue): boolean {
    const { all, perWebhook } = this.#limits
    if (webhook.health === 'proven') return webhook.inFlight < perWebhook
    if (webhook.health === 'unproven') return webhook.inFlight < Math.min(UNPROVEN_WINDOW, perWebhook)
    return webhook.inFlight < FAILING_WINDOW && this.#failingInFlight < Math.max(1, Math.floor(all * FAILING_SHARE))
  }

  #queueOf(item: DueDelivery): WebhookQueue {
    const known = this.#webhooks.get(item.webhookId)
    if (known) return known
    const health = item.failing ? 'failing' : 'unproven'
    const webhook: WebhookQueue = { workspaceId: item.workspaceId, queue: [], next: 0, inFlight: 0, health }
    this.#webhooks.set(item.webhookId, webhook)
    return webhook
  }

  #waiting(workspaceId: string): Map<string, WebhookQueue> {
    const known = this.#workspaces.get(workspaceId)
    if (known) return known
    const webhooks = new Map<string, WebhookQueue>()
    this.#workspaces.set(workspaceId, webhooks)
    return webhooks
  }
}

const head = (webhook: WebhookQueue): DueDelivery => webhook.queue[webhook.next]!
