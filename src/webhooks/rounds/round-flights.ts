import type { Log } from '../../lib/log.ts'
import type { Sql } from '../../lib/sql.ts'
import type { DeliveryWorkflows } from './delivery-workflows.ts'
import type { RoundPlan } from './round-rules.ts'
import type { DueDelivery, EndedAttempt, RoundOutcome } from './round-schema.ts'
import { type ClaimedDelivery, finishedAttempts, unclaim } from './round-store.ts'
import type { ShardRun } from './shard-run.ts'

/** A workflow that runs in this process reports its attempt itself; after this long it is looked up all the same. */
const SILENT_AFTER_MS = 1_000
/** An attempt takes 5 seconds at most; one that is not over after this is left to the next check's repair. */
const ATTEMPT_LOST_AFTER_MS = 30_000

export type RoundTools = {
  sql: Sql
  log: Log
  workflows: Pick<DeliveryWorkflows, 'grant'>
  limits: { all: number; perWebhook: number }
}

type Flight = {
  run: ShardRun
  item: DueDelivery
  grant: ClaimedDelivery['grant']
  since: number
  /** When its outcome is looked up first. */
  lookFrom: number
}

/** The attempts of a round that this process has started and that are not over. */
export class RoundFlights {
  readonly #tools: RoundTools
  readonly #roundId: string
  readonly #plan: RoundPlan
  readonly #flights = new Map<string, Flight>()

  constructor(tools: RoundTools, roundId: string, plan: RoundPlan) {
    this.#tools = tools
    this.#roundId = roundId
    this.#plan = plan
  }

  /** Lets the workflow of a claimed delivery make its attempt. */
  launch(run: ShardRun, item: DueDelivery, claimed: ClaimedDelivery): void {
    const since = performance.now()
    const flight = { run, item, grant: claimed.grant, since, lookFrom: since + SILENT_AFTER_MS }
    this.#flights.set(item.deliveryId, flight)
    run.report.started += 1
    run.inFlight += 1
    void this.#grant(claimed, flight)
  }

  async #grant(claimed: ClaimedDelivery, flight: Flight): Promise<void> {
    try {
      const { here } = await this.#tools.workflows.grant(claimed)
      if (!here) flight.lookFrom = 0
    } catch (err) {
      flight.lookFrom = 0
      this.#tools.log.warn({ err, deliveryId: claimed.deliveryId }, 'a delivery workflow could not be reached')
      await unclaim(this.#tools.sql, this.#roundId, claimed).catch(() => {})
    }
  }

  /** Learns from Postgres which attempts are over that no one in this process reports. */
  async look(): Promise<void> {
    const now = performance.now()
    const ids = [...this.#flights].flatMap(([deliveryId, { lookFrom }]) => (lookFrom <= now ? [deliveryId] : []))
    if (ids.length === 0) return
    for (const { deliveryId, outcome, tookMs, fault } of await finishedAttempts(this.#tools.sql, ids))
      this.#finish(deliveryId, outcome, tookMs ?? undefined, fault ?? undefined)
    for (const [deliveryId, { since }] of this.#flights)
      if (since < now - ATTEMPT_LOST_AFTER_MS) this.#finish(deliveryId, 'unclear')
  }

  attemptEnded({ deliveryId, outcome, tookMs, fault, ...attempt }: EndedAttempt): void {
    const grant = this.#flights.get(deliveryId)?.grant
    if (grant?.cycle !== attempt.cycle || grant.number !== attempt.number || grant.run !== attempt.run) return
    this.#finish(deliveryId, outcome, tookMs, fault)
  }

  #finish(deliveryId: string, outcome: RoundOutcome, tookMs?: number, fault?: string): void {
    const flight = this.#flights.get(deliveryId)
    if (!flight) return
    this.#flights.delete(deliveryId)
    this.#plan.finish(flight.item, outcome, tookMs)
    const { run } = flight
    run.inFlight -= 1
    run.report[outcome] += 1
    if (fault === undefined) return
    run.report.faults += 1
    run.fault ??= fault
  }
}
