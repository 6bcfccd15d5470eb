import type { DueDelivery, RoundOutcome } from '../../../src/webhooks/rounds/round-schema.ts'

/** A webhook whose last attempt of this round took this long is slow. */
const SLOW_AFTER_MS = 1_000

/** What a round knows of a webhook: nothing yet, or how its last attempt in this round ended. */
type Health = 'unproven' | 'proven' | 'slow' | 'failing'
/** How many attempts at once a webhook gets; where there is no number, as many as the setting says. */
const WINDOWS: Partial<Record<Health, number>> = { unproven: 2, failing: 1 }
/** Share of all slots that such webhooks may hold together, so that the seconds each takes cost the others nothing. */
const SHARES: Shares = { slow: 0.25, failing: 0.25 }
/** The same where slots are left that no one else wants. */
const SHARES_OF_THE_REST: Shares = { failing: 0.25 }
type Shares = Partial<Record<Health, number>>

/**
 * Starts of failing webhooks for each start of another one, while others wait: what answers with an error at once holds no
 * slot for long, and costs as much as a success.
 */
const FAILING_PER_START = 1 / 20

/** A queue lets go of its started deliveries after this many, so that it stays small however much is due. */
const FORGET_STARTED_AFTER = 500

type WebhookQueue = {
  workspaceId: string
  queue: DueDelivery[]
  next: number
  inFlight: number
  health: Health
}

/**
 * The order of a round as it is defined: each choice looks at every workspace that waits. What tests compare the plan
 * with, and what a benchmark measures it against.
 */
export class RoundByDefinition {
  readonly #limits: { all: number; perWebhook: number }
  readonly #webhooks = new Map<string, WebhookQueue>()
  readonly #workspaces = new Map<string, Map<string, WebhookQueue>>()
  readonly #started: Map<string, number>
  /** Waiting, in flight, or skipped. */
  readonly #known = new Set<string>()
  #inFlight = 0
  readonly #inFlightOf: Record<Health, number> = { unproven: 0, proven: 0, slow: 0, failing: 0 }
  /** How many failing webhooks may start beside others, and in this choice. */
  #failingStarts = 0
  #failingLeft = 0

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
    this.#failingLeft = this.#othersWait() ? this.#failingStarts : Number.POSITIVE_INFINITY
    const taken = this.#takeWithin(SHARES, limit)
    // Others that still wait have all the slots that they may have.
    this.#failingLeft = this.#othersWait() ? 1 : Number.POSITIVE_INFINITY
    return [...taken, ...this.#takeWithin(SHARES_OF_THE_REST, limit - taken.length)]
  }

  #takeWithin(shares: Shares, limit: number): DueDelivery[] {
    const taken: DueDelivery[] = []
    const full = new Set<string>()
    while (taken.length < limit && this.#inFlight < this.#limits.all) {
      const workspaceId = this.#fewestStarted(full)
      if (workspaceId === undefined) break
      const item = this.#oldest(workspaceId, shares)
      if (item) taken.push(this.#start(item))
      else full.add(workspaceId)
    }
    return taken
  }

  /** A started delivery's attempt is over: its slot is free again. Postgres remembers that this round started it. */
  finish(item: DueDelivery, outcome: RoundOutcome, tookMs = 0): void {
    this.#known.delete(item.deliveryId)
    const webhook = this.#release(item)
    if (outcome === 'succeeded') this.#turn(webhook, tookMs < SLOW_AFTER_MS ? 'proven' : 'slow')
    if (outcome === 'failed') this.#turn(webhook, 'failing')
  }

  /** A delivery that was taken could not be claimed: its slot is free again, and this round does not take it again. */
  skip(item: DueDelivery): void {
    this.#release(item)
  }

  #release(item: DueDelivery): WebhookQueue {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight--
    webhook.inFlight--
    this.#inFlightOf[webhook.health]--
    return webhook
  }

  #turn(webhook: WebhookQueue, health: Health): void {
    this.#inFlightOf[webhook.health] -= webhook.inFlight
    webhook.health = health
    this.#inFlightOf[health] += webhook.inFlight
  }

  #start(item: DueDelivery): DueDelivery {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight++
    webhook.inFlight++
    this.#inFlightOf[webhook.health]++
    this.#countStart(webhook.health)
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
  #oldest(workspaceId: string, shares: Shares): DueDelivery | undefined {
    const webhooks = this.#waiting(workspaceId)
    let best: WebhookQueue | undefined
    for (const webhook of webhooks.values()) {
      if (this.#mayTake(webhook, shares) && (!best || placeOf(webhook) < placeOf(best))) best = webhook
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

  #mayTake({ health, inFlight }: WebhookQueue, shares: Shares): boolean {
    const { all, perWebhook } = this.#limits
    if (inFlight >= Math.min(WINDOWS[health] ?? perWebhook, perWebhook)) return false
    if (health === 'failing' && this.#failingLeft < 1) return false
    const share = shares[health]
    return share === undefined || this.#inFlightOf[health] < Math.max(1, Math.floor(all * share))
  }

  #othersWait(): boolean {
    return [...this.#webhooks.values()].some(({ health, queue, next }) => health !== 'failing' && next < queue.length)
  }

  #countStart(health: Health): void {
    if (health === 'failing') {
      this.#failingLeft--
      if (this.#othersWait()) this.#failingStarts = Math.max(0, this.#failingStarts - 1)
    } else {
      const most = this.#limits.all * SHARES.failing!
      this.#failingStarts = Math.min(this.#failingStarts + FAILING_PER_START, most)
    }
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

/** The oldest is first; of what was due at once, the one that was created first. */
const placeOf = (webhook: WebhookQueue): string => `${head(webhook).dueAt} ${head(webhook).deliveryId}`

const head = (webhook: WebhookQueue): DueDelivery => webhook.queue[webhook.next]!
