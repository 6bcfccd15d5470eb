/** A due delivery as a round plans with it. */
export type Due = { deliveryId: string; webhookId: string; workspaceId: string; dueAt: string; failing: boolean }

/** A round stops starting deliveries this long after its check began (specification, Timing and retries). */
export const STOP_STARTING_AFTER_MS = 200_000

/** How many attempts at once an endpoint gets before it has answered well in this round, and after it has failed. */
const UNPROVEN_WINDOW = 2
const FAILING_WINDOW = 1
/** Share of all slots that failing endpoints may hold, so that the five seconds each takes cost the others nothing. */
const FAILING_SHARE = 0.25

type Endpoint = {
  workspaceId: string
  queue: Due[]
  next: number
  inFlight: number
  health: 'unproven' | 'proven' | 'failing'
}

/**
 * The order of one round (specification, Timing and retries; design.md section 4): the next delivery is the oldest due
 * one of the workspace with the fewest started in this round, among those whose endpoint has a free slot.
 */
export class RoundPlan {
  readonly #limits: { all: number; perEndpoint: number }
  readonly #endpoints = new Map<string, Endpoint>()
  readonly #workspaces = new Map<string, Map<string, Endpoint>>()
  readonly #started: Map<string, number>
  readonly #known = new Set<string>()
  #inFlight = 0
  #failingInFlight = 0

  /** @param started deliveries started in this round before, by workspace: when a round goes on after a crash */
  constructor(limits: { all: number; perEndpoint: number }, started: Iterable<[string, number]> = []) {
    this.#limits = limits
    this.#started = new Map(started)
  }

  get inFlight(): number {
    return this.#inFlight
  }

  /** Adds due deliveries, each endpoint's in the order they were due. Answers how many were not known before. */
  add(due: Due[]): number {
    const fresh = due.filter((item) => !this.#known.has(item.deliveryId))
    for (const item of fresh) {
      this.#known.add(item.deliveryId)
      const endpoint = this.#endpoint(item)
      endpoint.queue.push(item)
      this.#waiting(item.workspaceId).set(item.webhookId, endpoint)
    }
    return fresh.length
  }

  /** Takes the deliveries to start now, at most `limit`, in order. */
  take(limit = Number.POSITIVE_INFINITY): Due[] {
    const taken: Due[] = []
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

  /** A started delivery's attempt is over, or it could not be started: its slot is free again. */
  finish(item: Due, outcome: 'succeeded' | 'failed' | 'unclear'): void {
    const endpoint = this.#endpoints.get(item.webhookId)!
    this.#inFlight--
    endpoint.inFlight--
    if (endpoint.health === 'failing') this.#failingInFlight--
    if (outcome === 'succeeded') this.#turn(endpoint, 'proven')
    if (outcome === 'failed') this.#turn(endpoint, 'failing')
  }

  #turn(endpoint: Endpoint, health: Endpoint['health']): void {
    if (endpoint.health === 'failing') this.#failingInFlight -= endpoint.inFlight
    endpoint.health = health
    if (endpoint.health === 'failing') this.#failingInFlight += endpoint.inFlight
  }

  #start(item: Due): Due {
    const endpoint = this.#endpoints.get(item.webhookId)!
    this.#inFlight++
    endpoint.inFlight++
    if (endpoint.health === 'failing') this.#failingInFlight++
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

  /** Removes and answers the oldest due delivery of a workspace whose endpoint may take one more. */
  #oldest(workspaceId: string): Due | undefined {
    const endpoints = this.#waiting(workspaceId)
    let best: Endpoint | undefined
    for (const endpoint of endpoints.values()) {
      if (this.#mayTake(endpoint) && (!best || head(endpoint).dueAt < head(best).dueAt)) best = endpoint
    }
    if (!best) return undefined
    const item = head(best)
    best.next++
    if (best.next === best.queue.length) {
      best.queue = []
      best.next = 0
      endpoints.delete(item.webhookId)
      if (endpoints.size === 0) this.#workspaces.delete(workspaceId)
    }
    return item
  }

  #mayTake(endpoint: Endpoint): boolean {
    const { all, perEndpoint } = this.#limits
    if (endpoint.health === 'proven') return endpoint.inFlight < perEndpoint
    if (endpoint.health === 'unproven') return endpoint.inFlight < Math.min(UNPROVEN_WINDOW, perEndpoint)
    return endpoint.inFlight < FAILING_WINDOW && this.#failingInFlight < Math.max(1, Math.floor(all * FAILING_SHARE))
  }

  #endpoint(item: Due): Endpoint {
    const known = this.#endpoints.get(item.webhookId)
    if (known) return known
    const health = item.failing ? 'failing' : 'unproven'
    const endpoint: Endpoint = { workspaceId: item.workspaceId, queue: [], next: 0, inFlight: 0, health }
    this.#endpoints.set(item.webhookId, endpoint)
    return endpoint
  }

  #waiting(workspaceId: string): Map<string, Endpoint> {
    const known = this.#workspaces.get(workspaceId)
    if (known) return known
    const endpoints = new Map<string, Endpoint>()
    this.#workspaces.set(workspaceId, endpoints)
    return endpoints
  }
}

const head = (endpoint: Endpoint): Due => endpoint.queue[endpoint.next]!
