import { Heap } from '../../lib/process/heap.ts'
import type { DueDelivery } from './round-schema.ts'

/** What a round knows of a webhook: nothing yet, or how its last attempt in this round ended. */
export type Health = 'unproven' | 'proven' | 'slow' | 'failing'
const HEALTHS: readonly Health[] = ['unproven', 'proven', 'slow', 'failing']

export type WebhookQueue = {
  workspaceId: string
  queue: DueDelivery[]
  next: number
  inFlight: number
  health: Health
}

/** The webhooks of a workspace that have something to send. A workspace that had nothing meanwhile begins another. */
type Waiting = {
  workspaceId: string
  /** Of two that have started equally many, the one that has waited longer comes first. */
  order: number
  webhooks: Map<string, WebhookQueue>
  /** With which count of started deliveries it stands in the heap of each kind of webhook. */
  offered: Partial<Record<Health, number>>
}

/** A workspace that had a free window for a webhook of some kind when it had started this many. It may be outdated. */
type Offer = { waiting: Waiting; started: number }

const comesFirst = (a: Offer, b: Offer): boolean =>
  a.started < b.started || (a.started === b.started && a.waiting.order < b.waiting.order)

/**
 * The workspaces that wait, in the order in which they come: a choice looks at the first of each kind of webhook, however
 * many wait. Offers that are outdated are dropped when they come first.
 */
export class WaitingWorkspaces {
  readonly #startedOf: (workspaceId: string) => number
  readonly #hasWindow: (webhook: WebhookQueue) => boolean
  readonly #workspaces = new Map<string, Waiting>()
  readonly #offers: Record<Health, Heap<Offer>> = {
    unproven: new Heap(comesFirst),
    proven: new Heap(comesFirst),
    slow: new Heap(comesFirst),
    failing: new Heap(comesFirst),
  }
  #orders = 0

  constructor(startedOf: (workspaceId: string) => number, hasWindow: (webhook: WebhookQueue) => boolean) {
    this.#startedOf = startedOf
    this.#hasWindow = hasWindow
  }

  /** A webhook has something to send. */
  add(webhookId: string, webhook: WebhookQueue): void {
    const { workspaceId } = webhook
    const known = this.#workspaces.get(workspaceId)
    const waiting = known ?? { workspaceId, order: this.#orders++, webhooks: new Map(), offered: {} }
    if (!known) this.#workspaces.set(workspaceId, waiting)
    waiting.webhooks.set(webhookId, webhook)
    this.offer(webhook)
  }

  /** A webhook has nothing more to send. */
  remove({ workspaceId, webhookId }: Pick<DueDelivery, 'workspaceId' | 'webhookId'>): void {
    const webhooks = this.#workspaces.get(workspaceId)?.webhooks
    webhooks?.delete(webhookId)
    if (webhooks?.size === 0) this.#workspaces.delete(workspaceId)
  }

  /** A webhook may have a free window again. */
  offer(webhook: WebhookQueue): void {
    const waiting = this.#workspaces.get(webhook.workspaceId)
    if (!waiting || webhook.queue.length === 0 || !this.#hasWindow(webhook)) return
    const { health } = webhook
    const started = this.#startedOf(webhook.workspaceId)
    if (waiting.offered[health] === started) return
    waiting.offered[health] = started
    this.#offers[health].push({ waiting, started })
  }

  /** A workspace has started one more. */
  offerAll(workspaceId: string): void {
    for (const webhook of this.#workspaces.get(workspaceId)?.webhooks.values() ?? []) this.offer(webhook)
  }

  /** Returns the webhooks of the workspace that comes first, among those with a free window for a kind that is allowed. */
  first(isAllowed: (health: Health) => boolean): Map<string, WebhookQueue> | undefined {
    let best: Offer | undefined
    for (const health of HEALTHS) {
      if (!isAllowed(health)) continue
      const offer = this.#firstOf(health)
      if (offer && (!best || comesFirst(offer, best))) best = offer
    }
    return best?.waiting.webhooks
  }

  #firstOf(health: Health): Offer | undefined {
    const offers = this.#offers[health]
    for (let offer = offers.least(); offer; offer = offers.least()) {
      const { waiting, started } = offer
      if (this.#workspaces.get(waiting.workspaceId) === waiting && waiting.offered[health] === started) {
        if (started === this.#startedOf(waiting.workspaceId) && this.#isOpen(waiting, health)) return offer
        waiting.offered[health] = undefined
      }
      offers.pop()
    }
    return undefined
  }

  #isOpen({ webhooks }: Waiting, health: Health): boolean {
    for (const webhook of webhooks.values()) if (webhook.health === health && this.#hasWindow(webhook)) return true
    return false
  }
}
