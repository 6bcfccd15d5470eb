import type { DueDelivery, RoundOutcome } from './round-schema.ts'
import { type Health, WaitingWorkspaces, type WebhookQueue } from './waiting-workspaces-rules.ts'

/** A round stops starting deliveries this long after its check began (specification, Timing and retries). */
export const STOP_STARTING_AFTER_MS = 200_000

/** A webhook whose last attempt of this round took this long is slow. */
const SLOW_AFTER_MS = 1_000

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

/**
 * The order of one round (specification, Timing and retries; design.md section 4): the next delivery is the oldest due
 * one of the workspace with the fewest started in this round, among those whose webhook has a free slot.
 */
export class RoundPlan {
  readonly #limits: { all: number; perWebhook: number }
  readonly #webhooks = new Map<string, WebhookQueue>()
  readonly #started = new Map<string, number>()
  readonly #workspaces: WaitingWorkspaces
  /** Waiting, in flight, or skipped. */
  readonly #known = new Set<string>()
  #inFlight = 0
  readonly #inFlightOf: Record<Health, number> = { unproven: 0, proven: 0, slow: 0, failing: 0 }
  readonly #waitingOf: Record<Health, number> = { unproven: 0, proven: 0, slow: 0, failing: 0 }
  /** How many failing webhooks may start while others wait, and in the choice that is made. */
  #failingStarts = 0
  #failingLeft = 0

  constructor(limits: { all: number; perWebhook: number }) {
    this.#limits = limits
    const startedOf = (workspaceId: string) => this.#started.get(workspaceId) ?? 0
    this.#workspaces = new WaitingWorkspaces(startedOf, (webhook) => this.#hasWindow(webhook))
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Of workspaces with nothing in the plan: what the round has started before, perhaps elsewhere. */
  resume(started: Iterable<[string, number]>): void {
    for (const [workspaceId, count] of started) this.#started.set(workspaceId, count)
  }

  knows(deliveryId: string): boolean {
    return this.#known.has(deliveryId)
  }

  /** Forgets what waits of these workspaces: others start it. */
  drop(isDropped: (workspaceId: string) => boolean): void {
    for (const [webhookId, webhook] of this.#webhooks) {
      const { workspaceId, queue, next } = webhook
      if (queue.length === 0 || !isDropped(workspaceId)) continue
      for (const { deliveryId } of queue.slice(next)) this.#known.delete(deliveryId)
      this.#waitingOf[webhook.health] -= queue.length - next
      webhook.queue = []
      webhook.next = 0
      this.#workspaces.remove({ workspaceId, webhookId })
    }
  }

  /** Adds due deliveries, each webhook's in the order they were due. Returns how many were not known before. */
  add(due: DueDelivery[]): number {
    const fresh = due.filter((item) => !this.#known.has(item.deliveryId))
    for (const item of fresh) {
      this.#known.add(item.deliveryId)
      const webhook = this.#queueOf(item)
      webhook.queue.push(item)
      this.#waitingOf[webhook.health]++
      this.#workspaces.add(item.webhookId, webhook)
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
    while (taken.length < limit && this.#inFlight < this.#limits.all) {
      const webhooks = this.#workspaces.first((health) => this.#hasShare(health, shares))
      if (!webhooks) break
      taken.push(this.#start(this.#oldest(webhooks, shares)))
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

  /** The webhooks that were slow when they answered last. */
  slow(): string[] {
    return [...this.#webhooks].flatMap(([webhookId, { health }]) => (health === 'slow' ? [webhookId] : []))
  }

  /** How many deliveries the plan remembers. */
  get size(): number {
    return this.#known.size
  }

  #release(item: DueDelivery): WebhookQueue {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight--
    webhook.inFlight--
    this.#inFlightOf[webhook.health]--
    this.#workspaces.offer(webhook)
    return webhook
  }

  #turn(webhook: WebhookQueue, health: Health): void {
    const waiting = webhook.queue.length - webhook.next
    this.#inFlightOf[webhook.health] -= webhook.inFlight
    this.#waitingOf[webhook.health] -= waiting
    webhook.health = health
    this.#inFlightOf[health] += webhook.inFlight
    this.#waitingOf[health] += waiting
    this.#workspaces.offer(webhook)
  }

  #start(item: DueDelivery): DueDelivery {
    const webhook = this.#webhooks.get(item.webhookId)!
    this.#inFlight++
    webhook.inFlight++
    this.#inFlightOf[webhook.health]++
    this.#countStart(webhook.health)
    this.#started.set(item.workspaceId, (this.#started.get(item.workspaceId) ?? 0) + 1)
    this.#workspaces.offerAll(item.workspaceId)
    return item
  }

  /** Removes and returns the oldest due delivery of a workspace whose webhook may take one more. */
  #oldest(webhooks: Map<string, WebhookQueue>, shares: Shares): DueDelivery {
    let best: WebhookQueue | undefined
    for (const webhook of webhooks.values()) {
      const mayTake = this.#hasWindow(webhook) && this.#hasShare(webhook.health, shares)
      if (mayTake && (!best || isOlder(head(webhook), head(best)))) best = webhook
    }
    const { queue, next } = best!
    const item = queue[next]!
    best!.next++
    this.#waitingOf[best!.health]--
    if (best!.next === queue.length) {
      best!.queue = []
      best!.next = 0
      this.#workspaces.remove(item)
    } else if (best!.next >= FORGET_STARTED_AFTER) {
      best!.queue = queue.slice(best!.next)
      best!.next = 0
    }
    return item
  }

  #hasWindow({ health, inFlight }: WebhookQueue): boolean {
    const { perWebhook } = this.#limits
    return inFlight < Math.min(WINDOWS[health] ?? perWebhook, perWebhook)
  }

  #hasShare(health: Health, shares: Shares): boolean {
    if (health === 'failing' && this.#failingLeft < 1) return false
    const share = shares[health]
    return share === undefined || this.#inFlightOf[health] < Math.max(1, Math.floor(this.#limits.all * share))
  }

  #othersWait(): boolean {
    const { unproven, proven, slow } = this.#waitingOf
    return unproven + proven + slow > 0
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
}

/** Ids are in the order of creation: of what was due at once, no webhook's comes before all of another's. */
const isOlder = (one: DueDelivery, other: DueDelivery): boolean =>
  one.dueAt < other.dueAt || (one.dueAt === other.dueAt && one.deliveryId < other.deliveryId)

const head = (webhook: WebhookQueue): DueDelivery => webhook.queue[webhook.next]!
