/**
 * What a look at the plan of a round costs while failing workspaces wait: nothing, one choice, or as many as slots are free.
 * usage: node --import tsx bench/load/choice.ts
 */
import { RoundPlan } from '../../src/webhooks/rounds/round-rules.ts'
import type { DueDelivery } from '../../src/webhooks/rounds/round-schema.ts'
import { RoundByDefinition } from '../../test/support/definitions/round-by-definition.ts'

const LIMITS = { all: 64, perWebhook: 8 }
const WAITING = [100, 1_000, 10_000]
const LOOKS = 200

const dueOf = (workspaces: number): DueDelivery[] =>
  Array.from({ length: workspaces }, (_, n) => ({
    deliveryId: `d${n}`,
    workspaceId: `w${n}`,
    webhookId: `h${n}`,
    dueAt: new Date(n).toISOString(),
    failing: true,
  }))

/** Milliseconds of processor time of one look, each after one attempt that has ended. */
function lookMs(plan: Pick<RoundPlan, 'add' | 'take' | 'finish'>, workspaces: number, looks: number): number {
  plan.add(dueOf(workspaces))
  const inFlight = plan.take()
  const began = process.cpuUsage()
  for (let n = 0; n < looks; n++) {
    plan.finish(inFlight.shift()!, 'failed')
    inFlight.push(...plan.take())
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000 / looks
}

lookMs(new RoundPlan(LIMITS), 1_000, LOOKS)
const rows = WAITING.map((workspaces) => {
  const planned = lookMs(new RoundPlan(LIMITS), workspaces, Math.min(LOOKS, workspaces / 2))
  const defined = workspaces > 1_000 ? undefined : lookMs(new RoundByDefinition(LIMITS), workspaces, workspaces / 20)
  return { workspaces, 'ms of CPU': planned, 'by the definition': defined, ratio: defined && planned / defined }
})
console.table(rows)
