/**
 * What slow and dead receivers cost the others by the order of a round alone: 1,000 webhooks of 50 workspaces, 20
 * deliveries each, in simulated time. usage: node --import tsx bench/load/slots.ts
 */
import { RoundPlan } from '../../src/webhooks/rounds/round-rules.ts'
import type { DueDelivery } from '../../src/webhooks/rounds/round-schema.ts'
import { spreadOf } from './judge.ts'
import { kindOf } from './tenants.ts'

const LIMITS = { all: 64, perWebhook: 8 }
const [WORKSPACES, WEBHOOKS, EVENTS] = [50, 20, 20]
/** How often a round looks for finished attempts, and how long attempts take once they are started. */
const LOOK_S = 0.04
const SECONDS = { fast: 0.02, slow: 2.5, dead: 3 }
type Behaviour = keyof typeof SECONDS
const ROUND_S = 200

/** @param perSecond attempts that the machine can start each second */
function simulate(perSecond: number, spoiled: { slow: boolean; dead: boolean }) {
  const plan = new RoundPlan(LIMITS)
  const behaviours = new Map<string, Behaviour>()
  plan.add(dueOf(behaviours, spoiled))
  const lags: number[] = []
  let free = 0
  let flights: { item: DueDelivery; end: number }[] = []
  for (let now = 0; now < ROUND_S; now += LOOK_S) {
    for (const item of plan.take()) {
      const behaviour = behaviours.get(item.webhookId)!
      free = Math.max(free, now) + 1 / perSecond
      if (behaviour === 'fast') lags.push(free)
      flights.push({ item, end: free + SECONDS[behaviour] })
    }
    const over = new Set(flights.filter(({ end }) => end <= now))
    flights = flights.filter((flight) => !over.has(flight))
    for (const { item } of over) {
      const behaviour = behaviours.get(item.webhookId)!
      plan.finish(item, behaviour === 'dead' ? 'failed' : 'succeeded', SECONDS[behaviour] * 1_000)
    }
  }
  return { 'capacity a second': perSecond, ...spoiled, ...spreadOf(lags) }
}

function dueOf(behaviours: Map<string, Behaviour>, { slow, dead }: { slow: boolean; dead: boolean }): DueDelivery[] {
  const due: DueDelivery[] = []
  for (let event = 0; event < EVENTS; event++)
    for (let hook = 0; hook < WORKSPACES * WEBHOOKS; hook++) {
      const workspace = Math.floor(hook / WEBHOOKS)
      const kind = workspace < WORKSPACES / 5 ? 'fast' : kindOf(hook)
      const behaviour = kind === 'fast' || kind === 'slow' ? kind : 'dead'
      behaviours.set(`${hook}`, (behaviour === 'slow' && !slow) || (behaviour === 'dead' && !dead) ? 'fast' : behaviour)
      const ids = { deliveryId: `${hook}/${event}`, webhookId: `${hook}`, workspaceId: `${workspace}` }
      due.push({ ...ids, dueAt: '2026-11-22', failing: false })
    }
  return due
}

console.table(
  [100, 250].flatMap((perSecond) =>
    [false, true].flatMap((slow) => [false, true].map((dead) => simulate(perSecond, { slow, dead }))),
  ),
)
