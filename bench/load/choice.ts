/**
 * What a choice of a round costs beside 0 to 5,000 failing workspaces, whose attempts last long.
 * usage: node --import tsx bench/load/choice.ts
 */
import { RoundPlan } from '../../src/webhooks/rounds/round-rules.ts'
import type { DueDelivery } from '../../src/webhooks/rounds/round-schema.ts'
import { RoundByDefinition } from '../../test/support/definitions/round-by-definition.ts'

const LIMITS = { all: 64, perWebhook: 8 }
const FAILING = [0, 100, 1_000, 5_000]
const HEALTHY = 60
const DUE_EACH = 100
/** An attempt at an endpoint that never answers lasts as long as this many at one that answers at once. */
const LASTS = 50
const ATTEMPTS = 3_000
/** The definition looks at every workspace again and again: less of it is enough. */
const DEFINED = { attempts: 30, mostFailing: 1_000 }

type Plan = Pick<RoundPlan, 'add' | 'take' | 'finish'>

const dueOf = (name: string, workspaces: number, each: number): DueDelivery[] =>
  Array.from({ length: workspaces * each }, (_, n) => {
    const id = `${name}${n % workspaces}`
    return {
      deliveryId: `${name}-${n}`,
      workspaceId: id,
      webhookId: id,
      dueAt: new Date(n).toISOString(),
      failing: name === 'failing',
    }
  })

/** Ends this many attempts of healthy workspaces, and one of the failing now and then, filling slots after each. */
function costOf(plan: Plan, failing: number, attempts: number): number {
  plan.add([...dueOf('healthy', HEALTHY, DUE_EACH), ...dueOf('failing', failing, 3)])
  const healthyInFlight: DueDelivery[] = []
  const failingInFlight: DueDelivery[] = []
  const take = () => {
    for (const item of plan.take()) (item.failing ? failingInFlight : healthyInFlight).push(item)
  }
  take()
  const began = process.cpuUsage()
  for (let n = 1; n <= attempts; n++) {
    plan.finish(healthyInFlight.shift()!, 'succeeded', 10)
    const late = n % LASTS === 0 ? failingInFlight.shift() : undefined
    if (late) plan.finish(late, 'failed', 5_000)
    take()
  }
  const { user, system } = process.cpuUsage(began)
  return (user + system) / 1_000 / attempts
}

const rounded = (ms: number) => Math.round(ms * 10_000) / 10_000
costOf(new RoundPlan(LIMITS), 1_000, ATTEMPTS)
console.table(
  FAILING.map((failing) => ({
    'failing workspaces': failing,
    'ms of CPU for a choice': rounded(costOf(new RoundPlan(LIMITS), failing, ATTEMPTS)),
    'by the definition':
      failing > DEFINED.mostFailing
        ? undefined
        : rounded(costOf(new RoundByDefinition(LIMITS), failing, DEFINED.attempts)),
  })),
)
