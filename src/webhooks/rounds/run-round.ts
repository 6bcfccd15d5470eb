import { setTimeout as sleep } from 'node:timers/promises'
import { type Instant, plus } from '../../lib/instant.ts'
import type { Log } from '../../lib/log.ts'
import type { Sql } from '../../lib/sql.ts'
import type { DeliveryWorkflows } from './delivery-workflows.ts'
import { failPausedDue } from './fail-paused-due.ts'
import { RoundPlan } from './round-rules.ts'
import type { DueDelivery, RoundOutcome } from './round-schema.ts'
import {
  type ClaimedDelivery,
  claimDeliveries,
  finishedAttempts,
  loadDue,
  startedInRound,
  unclaim,
} from './round-store.ts'

/** How often finished attempts are looked up, all at once. */
const LOOK_MS = 40
/** How often deliveries that became due during the round, or came from a webhook paused meanwhile, are looked for. */
const RELOAD_MS = 5_000
/** An attempt takes 5 seconds at most; one that is not over after this is left to the next check's repair. */
const ATTEMPT_LOST_AFTER_MS = 30_000

export type RoundReport = {
  started: number
  succeeded: number
  failed: number
  unclear: number
  unsent: number
  /** Attempts that an internal error prevented: they are among the unclear ones and are due again. */
  faults: number
}

export type Round = {
  sql: Sql
  log: Log
  workflows: Pick<DeliveryWorkflows, 'grant'>
  limits: { all: number; perWebhook: number }
  roundId: string
  /** The workflow's time: of the whole round, so that tests may skip it. */
  now: () => Instant
  /** Nothing is started at or after this instant. */
  stopAt: Instant
  /** Goes on after a crash of the same round: what it started before counts. */
  resumed: boolean
  heartbeat: (report: RoundReport) => void
  /** Is called when the time of the round ended while deliveries were due. */
  cutShort?: () => void
  signal?: AbortSignal
}

/**
 * One delivery round: claims due deliveries in fair order and lets each one's workflow make its attempt, until nothing
 * is due or its time is up. Learns from Postgres, in batches, which attempts are over.
 */
export async function runRound(round: Round): Promise<RoundReport> {
  const { sql, roundId } = round
  const plan = new RoundPlan(round.limits, round.resumed ? await startedInRound(sql, roundId) : [])
  const report: RoundReport = { started: 0, succeeded: 0, failed: 0, unclear: 0, unsent: 0, faults: 0 }
  const inFlight = new Map<string, { item: DueDelivery; since: number }>()
  let loadedAt = Number.NEGATIVE_INFINITY
  let fault: string | undefined

  function finish(deliveryId: string, outcome: RoundOutcome, tookMs?: number) {
    const flight = inFlight.get(deliveryId)
    if (!flight) return
    inFlight.delete(deliveryId)
    plan.finish(flight.item, outcome, tookMs)
    report[outcome]++
  }

  async function launch(claimed: ClaimedDelivery) {
    try {
      await round.workflows.grant(claimed)
    } catch (err) {
      round.log.warn({ err, deliveryId: claimed.deliveryId }, 'a delivery workflow could not be reached')
      await unclaim(sql, roundId, claimed).catch(() => {})
    }
  }

  while (!round.signal?.aborted) {
    const now = round.now()
    const mayStart = now < round.stopAt
    if (mayStart && performance.now() - loadedAt > RELOAD_MS) {
      report.unsent += await failPausedDue(sql, now)
      plan.add(await loadDue(sql, { roundId, now, slow: plan.slow() }))
      loadedAt = performance.now()
    }
    const batch = mayStart ? plan.take() : []
    if (batch.length > 0) {
      const claimed = await claimDeliveries(
        sql,
        { roundId, now },
        batch.map((item) => item.deliveryId),
      )
      report.started += claimed.length
      const claimedIds = new Set(claimed.map((delivery) => delivery.deliveryId))
      for (const item of batch) {
        if (claimedIds.has(item.deliveryId)) inFlight.set(item.deliveryId, { item, since: performance.now() })
        else plan.skip(item)
      }
      for (const delivery of claimed) void launch(delivery)
    }
    if (inFlight.size > 0) {
      for (const done of await finishedAttempts(sql, [...inFlight.keys()])) {
        finish(done.deliveryId, done.outcome, done.tookMs ?? undefined)
        if (done.fault === null) continue
        report.faults += 1
        fault ??= done.fault
      }
      const lost = performance.now() - ATTEMPT_LOST_AFTER_MS
      for (const [deliveryId, { since }] of inFlight) if (since < lost) finish(deliveryId, 'unclear')
    } else if (batch.length === 0) {
      if (!mayStart) break
      if (plan.add(await loadDue(sql, { roundId, now: round.now() })) === 0) break
      continue
    }
    round.heartbeat(report)
    await sleep(LOOK_MS)
  }
  const { now } = round
  if (round.cutShort && now() >= round.stopAt && (await loadDue(sql, { roundId, now: now() })).length > 0)
    round.cutShort()
  if (fault !== undefined) round.log.error({ faults: report.faults }, `Deliveries could not be sent: ${fault}.`)
  return report
}

/** A clock that goes on from an instant of workflow time, `late` milliseconds after it. */
export function clockFrom(start: Instant, late = 0): () => Instant {
  const from = performance.now()
  return () => plus(start, late + Math.round(performance.now() - from))
}
