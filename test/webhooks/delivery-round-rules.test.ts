import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { memoOf, summaryOf, webhookSummaryOf } from '../../src/webhooks/rounds/label-rules.ts'
import { RoundPlan } from '../../src/webhooks/rounds/round-rules.ts'
import type { DueDelivery } from '../../src/webhooks/rounds/round-schema.ts'
import { RoundByDefinition } from '../support/definitions/round-by-definition.ts'

const LIMITS = { all: 64, perWebhook: 8 }
let made = 0

function due(
  count: number,
  of: { workspace: string; webhook?: string; from?: number; failing?: boolean },
): DueDelivery[] {
  return Array.from({ length: count }, (_, n) => ({
    deliveryId: `d${++made}`,
    workspaceId: of.workspace,
    webhookId: of.webhook ?? of.workspace,
    dueAt: new Date((of.from ?? 0) + n).toISOString(),
    failing: of.failing ?? false,
  }))
}

/** Takes and ends everything, one at a time; returns the order of workspaces. */
function order(plan: RoundPlan, outcome: 'succeeded' | 'failed' = 'succeeded'): string[] {
  const turns: string[] = []
  for (;;) {
    const [item] = plan.take(1)
    if (!item) return turns
    turns.push(item.workspaceId)
    plan.finish(item, outcome)
  }
}

describe('the order of a round', () => {
  it('serves the workspace with the fewest started first', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add([...due(4, { workspace: 'a' }), ...due(2, { workspace: 'b' })])
    expect(order(plan)).toEqual(['a', 'b', 'a', 'b', 'a', 'a'])
  })

  it('delays ten of one workspace by at most one turn each, behind 5,000 of another', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add([...due(5_000, { workspace: 'dead' }), ...due(10, { workspace: 'live', from: 1_000_000 })])
    const turns = order(plan, 'failed')
    expect(turns).toHaveLength(5_010)
    expect(turns.slice(0, 20).filter((workspace) => workspace === 'live')).toHaveLength(10)
  })

  it('takes the oldest due of a workspace, over all its endpoints', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add([
      ...due(2, { workspace: 'a', webhook: 'x', from: 10 }),
      ...due(2, { workspace: 'a', webhook: 'y', from: 5 }),
    ])
    const taken = [...plan.take(1), ...plan.take(1), ...plan.take(2)]
    expect(taken.map((item) => item.webhookId)).toEqual(['y', 'y', 'x', 'x'])
  })

  it('takes what was due at once from all endpoints of a workspace in turn, in the order it was created', () => {
    const plan = new RoundPlan(LIMITS)
    const webhooks = ['x', 'y', 'z']
    const made = [1, 2].flatMap((event) =>
      webhooks.map((webhookId) => ({
        ...due(1, { workspace: 'a', webhook: webhookId })[0]!,
        deliveryId: `${event}-${webhookId}`,
      })),
    )
    for (const webhook of webhooks) plan.add(made.filter(({ webhookId }) => webhookId === webhook))
    expect(plan.take().map(({ deliveryId }) => deliveryId)).toEqual(made.map(({ deliveryId }) => deliveryId))
  })

  it('counts what the round had started before a crash', () => {
    const plan = new RoundPlan(LIMITS)
    plan.resume([['a', 2]])
    plan.add([...due(3, { workspace: 'a' }), ...due(3, { workspace: 'b' })])
    expect(order(plan)).toEqual(['b', 'b', 'a', 'b', 'a', 'a'])
  })

  it('never plans a delivery twice', () => {
    const plan = new RoundPlan(LIMITS)
    const list = due(3, { workspace: 'a' })
    expect([plan.add(list), plan.add(list)]).toEqual([3, 0])
    expect(order(plan)).toHaveLength(3)
  })
})

const workspaces = ['a', 'b', 'c', 'd', 'e', 'f', 'g']
/** Something that happens in a round; who it happens to follows from `pick`. */
const happening = fc.record({
  kind: fc.constantFrom(
    'add',
    'add',
    'take',
    'take',
    'one',
    'succeeded',
    'succeeded',
    'slow',
    'failed',
    'unclear',
    'skip',
  ),
  pick: fc.nat(1_000),
  count: fc.integer({ min: 1, max: 12 }),
})

describe('the order of a round, chosen in one pass', () => {
  it('is the order of its definition, whatever happens', () => {
    fc.assert(
      fc.property(
        fc.array(happening, { minLength: 20, maxLength: 120 }),
        fc.constantFrom(LIMITS, { all: 8, perWebhook: 8 }, { all: 5, perWebhook: 1 }),
        (happenings, limits) => {
          const plans = [new RoundPlan(limits), new RoundByDefinition(limits, [['b', 3]])] as const
          plans[0].resume([['b', 3]])
          const inFlight: DueDelivery[] = []
          for (const { kind, pick, count } of happenings) {
            if (kind === 'add') {
              const workspace = workspaces[pick % workspaces.length]!
              const webhook = `${workspace}${pick % 3}`
              const list = due(count, { workspace, webhook, from: pick % 50, failing: pick % 5 === 0 })
              for (const plan of plans) plan.add(list)
            } else if (kind === 'take' || kind === 'one') {
              const [taken, defined] = plans.map((plan) => plan.take(kind === 'one' ? 1 : count * 4))
              expect(taken).toEqual(defined)
              inFlight.push(...taken!)
            } else {
              const [item] = inFlight.splice(pick % Math.max(1, inFlight.length), 1)
              for (const plan of item ? plans : []) {
                if (kind === 'skip') plan.skip(item!)
                else plan.finish(item!, kind === 'slow' ? 'succeeded' : kind, kind === 'slow' ? 1_000 : 10)
              }
            }
          }
        },
      ),
      {
        numRuns: 300,
        ...(process.env.PRICETAPE_PROPERTY_SEED && { seed: Number(process.env.PRICETAPE_PROPERTY_SEED) }),
      },
    )
  })

  it('costs a choice no more among 10,000 failing workspaces than a few times what it costs among 100', () => {
    const looks = (count: number) => {
      const plan = new RoundPlan(LIMITS)
      for (let n = 0; n < count; n++) plan.add(due(3, { workspace: `dead${n}`, failing: true }))
      plan.take()
      const began = performance.now()
      for (let n = 0; n < 2_000; n++) plan.take()
      return performance.now() - began
    }
    // The best of five: whatever else the machine does only adds.
    const best = (count: number) => Math.min(...Array.from({ length: 5 }, () => looks(count)))
    expect(best(10_000)).toBeLessThan(Math.max(best(100) * 20, 50))
  })
})

describe('what is in flight', () => {
  it('is at most 8 per endpoint, once it has answered well', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add(due(50, { workspace: 'a' }))
    const first = plan.take()
    expect(first).toHaveLength(2)
    plan.finish(first[0]!, 'succeeded')
    expect(first.length - 1 + plan.take().length).toBe(8)
  })

  it('is at most 64 in all', () => {
    const plan = new RoundPlan(LIMITS)
    for (let n = 0; n < 100; n++) plan.add(due(3, { workspace: `w${n}` }))
    expect(plan.take()).toHaveLength(64)
    expect(plan.inFlight).toBe(64)
  })

  it('is one for an endpoint that failed, and no more than a quarter of all for such endpoints together', () => {
    const plan = new RoundPlan(LIMITS)
    for (let n = 0; n < 100; n++) plan.add(due(5, { workspace: `w${n}`, failing: true }))
    const taken = plan.take()
    expect(taken).toHaveLength(16)
    expect(new Set(taken.map((item) => item.webhookId)).size).toBe(16)
    plan.finish(taken[0]!, 'failed')
    expect(plan.take()).toHaveLength(1)
  })

  it('lets endpoints that answer go on while failing ones hold their slots', () => {
    const plan = new RoundPlan(LIMITS)
    for (let n = 0; n < 30; n++) plan.add(due(50, { workspace: `dead${n}`, failing: true }))
    for (let n = 0; n < 10; n++) plan.add(due(50, { workspace: `live${n}` }))
    for (let turn = 0; turn < 100; turn++)
      for (const item of plan.take()) if (item.workspaceId.startsWith('live')) plan.finish(item, 'succeeded')
    expect(plan.take()).toEqual([])
    expect(plan.inFlight).toBe(16)
  })

  describe('of endpoints that answer with an error at once', () => {
    /** Takes and ends `turns` choices; returns how many of failing and of other workspaces were started. */
    function startedOf(plan: RoundPlan, turns: number) {
      const started = { failing: 0, live: 0 }
      for (let turn = 0; turn < turns; turn++)
        for (const item of plan.take()) {
          started[item.failing ? 'failing' : 'live']++
          plan.finish(item, item.failing ? 'failed' : 'succeeded', 10)
        }
      return started
    }

    it('is one of them for twenty others that are started, while others wait', () => {
      const plan = new RoundPlan(LIMITS)
      for (let n = 0; n < 1_000; n++) plan.add(due(3, { workspace: `dead${n}`, failing: true }))
      for (let n = 0; n < 60; n++) plan.add(due(100, { workspace: `live${n}` }))
      const { failing, live } = startedOf(plan, 50)
      expect(live).toBeGreaterThan(2_000)
      expect(live / failing).toBeGreaterThan(19)
      expect(live / failing).toBeLessThan(22)
    })

    it('is one more in each choice where the others have all that they may have', () => {
      const plan = new RoundPlan(LIMITS)
      for (let n = 0; n < 100; n++) plan.add(due(3, { workspace: `dead${n}`, failing: true }))
      plan.add(due(100, { workspace: 'live' }))
      const counts = [1, 2, 3].map(() => plan.take().map(({ failing }) => failing))
      expect(counts).toEqual([[false, false, true], [true], [true]])
    })

    it('is as many as their slots allow where no one else waits', () => {
      const plan = new RoundPlan(LIMITS)
      for (let n = 0; n < 100; n++) plan.add(due(3, { workspace: `dead${n}`, failing: true }))
      plan.add(due(2, { workspace: 'live' }))
      expect(plan.take().filter(({ failing }) => failing)).toHaveLength(16)
      expect(startedOf(plan, 2)).toEqual({ failing: 0, live: 0 })
    })

    it('is not made up for: others that ran alone before leave them a quarter of all slots at most', () => {
      const plan = new RoundPlan(LIMITS)
      for (let n = 0; n < 60; n++) plan.add(due(100, { workspace: `live${n}` }))
      startedOf(plan, 60)
      for (let n = 0; n < 100; n++) plan.add(due(3, { workspace: `dead${n}`, failing: true }))
      const { failing, live } = startedOf(plan, 2)
      expect(failing).toBeLessThanOrEqual(16 + live / 20)
    })

    it('counts what waits of an endpoint with the others once it answers, and no more when it is dropped', () => {
      const plan = new RoundPlan(LIMITS)
      plan.add([...due(5, { workspace: 'back', failing: true }), ...due(3, { workspace: 'dead', failing: true })])
      const [first] = plan.take()
      expect(first!.workspaceId).toBe('back')
      plan.finish(first!, 'succeeded', 10)
      for (let n = 0; n < 20; n++) plan.add(due(1, { workspace: `dead${n}`, failing: true }))
      plan.drop((workspaceId) => workspaceId === 'back')
      expect(plan.take()).toHaveLength(15)
    })
  })

  it('counts an endpoint among the failing from its first failure, and no longer after a success', () => {
    const plan = new RoundPlan({ all: 8, perWebhook: 8 })
    for (const workspace of ['a', 'b', 'c']) plan.add(due(10, { workspace }))
    const first = plan.take()
    expect(first).toHaveLength(6)
    for (const item of first) plan.finish(item, 'failed')
    // A quarter of eight slots is for failing endpoints.
    const second = plan.take()
    expect(second).toHaveLength(2)
    const [success, failure] = second
    plan.finish(success!, 'succeeded')
    plan.finish(failure!, 'failed')
    const third = plan.take()
    const count = (workspace: string) => third.filter((item) => item.workspaceId === workspace).length
    expect(third).toHaveLength(8)
    expect(count(success!.workspaceId)).toBe(7)
  })

  it('counts what a failing endpoint has in flight once, whatever became of its first', () => {
    const plan = new RoundPlan({ all: 8, perWebhook: 4 })
    plan.add(due(10, { workspace: 'a' }))
    const [one, two] = plan.take()
    plan.finish(one!, 'failed')
    plan.add([...due(3, { workspace: 'b', failing: true }), ...due(3, { workspace: 'c', failing: true })])
    expect(plan.take().map((item) => item.workspaceId)).toEqual(['b'])
    plan.finish(two!, 'succeeded')
    expect(new Set(plan.take().map((item) => item.workspaceId))).toEqual(new Set(['a', 'c']))
  })

  it('gives back the slot of what could not be claimed, and keeps what is known of the endpoint', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add(due(3, { workspace: 'a', failing: true }))
    const [item] = plan.take()
    expect(plan.take()).toEqual([])
    plan.skip(item!)
    expect(plan.take()).toHaveLength(1)
    expect(plan.take()).toEqual([])
  })

  it('goes on in the order they were due when it has started hundreds of one endpoint', () => {
    const plan = new RoundPlan(LIMITS)
    const list = due(1_200, { workspace: 'a' })
    plan.add(list)
    const started: string[] = []
    for (let n = 0; n < 1_200; n++)
      for (const item of plan.take(1)) {
        started.push(item.deliveryId)
        plan.finish(item, 'succeeded')
      }
    expect(started).toEqual(list.map((item) => item.deliveryId))
  })

  it('is no more than a quarter of all for endpoints whose answers take a second, while others wait', () => {
    const plan = new RoundPlan(LIMITS)
    for (let n = 0; n < 30; n++) plan.add(due(50, { workspace: `slow${n}` }))
    for (const item of plan.take()) plan.finish(item, 'succeeded', 1_000)
    for (let n = 0; n < 10; n++) plan.add(due(50, { workspace: `fast${n}` }))
    for (let n = 0; n < 10; n++) for (const item of plan.take(1)) plan.finish(item, 'succeeded', 999)
    const workspaces = plan.take().map(({ workspaceId }) => workspaceId)
    expect(workspaces).toHaveLength(64)
    expect(workspaces.filter((workspace) => workspace.startsWith('slow'))).toHaveLength(16)
  })

  it('is what is left for slow endpoints where no one else waits', () => {
    const plan = new RoundPlan(LIMITS)
    for (let n = 0; n < 30; n++) plan.add(due(50, { workspace: `slow${n}` }))
    for (const item of plan.take()) plan.finish(item, 'succeeded', 1_000)
    expect(plan.take()).toHaveLength(64)
  })

  it('names the endpoints that were slow when they answered last', () => {
    const plan = new RoundPlan(LIMITS)
    for (const workspace of ['quick', 'slow', 'dead', 'fixed']) plan.add(due(3, { workspace }))
    const taken = plan.take(4)
    const finish = (workspace: string, outcome: 'succeeded' | 'failed', ms: number) =>
      plan.finish(taken.find((item) => item.workspaceId === workspace)!, outcome, ms)
    expect(plan.slow()).toEqual([])
    finish('quick', 'succeeded', 999)
    finish('slow', 'succeeded', 1_000)
    finish('dead', 'failed', 5_000)
    finish('fixed', 'succeeded', 1_000)
    expect(plan.slow()).toEqual(['slow', 'fixed'])
    plan.finish(plan.take().find((item) => item.workspaceId === 'fixed')!, 'succeeded', 1)
    expect(plan.slow()).toEqual(['slow'])
  })

  it('is as before for an endpoint that was slow once and then answers in time', () => {
    const plan = new RoundPlan({ all: 4, perWebhook: 8 })
    plan.add(due(9, { workspace: 'a' }))
    plan.add(due(9, { workspace: 'b' }))
    const [a, b, ...others] = plan.take()
    for (const item of others) plan.skip(item)
    plan.finish(a!, 'succeeded', 4_000)
    plan.finish(b!, 'succeeded', 10)
    const workspaces = () => plan.take().map(({ workspaceId }) => workspaceId)
    expect(workspaces()).toEqual(['a', 'b', 'b', 'b'])
  })

  it('remembers only what waits or is in flight, however many it started', () => {
    const plan = new RoundPlan(LIMITS)
    for (let loads = 0; loads < 40; loads++) {
      plan.add(due(500, { workspace: 'a' }))
      for (let n = 0; n < 490; n++) for (const item of plan.take(1)) plan.finish(item, 'succeeded')
    }
    expect(plan.size).toBe(400)
  })

  it('does not take again what could not be claimed', () => {
    const plan = new RoundPlan(LIMITS)
    const [item] = due(1, { workspace: 'a' })
    plan.add([item!])
    for (const taken of plan.take()) plan.skip(taken)
    expect(plan.add([item!])).toBe(0)
    expect([plan.take(), plan.inFlight]).toEqual([[], 0])
  })
})

describe('deliveries due at the same instant', () => {
  it('start in the order in which their webhooks were added', () => {
    const plan = new RoundPlan(LIMITS)
    plan.add([...due(1, { workspace: 'a', webhook: 'x' }), ...due(1, { workspace: 'a', webhook: 'y' })])
    expect(plan.take().map((item) => item.webhookId)).toEqual(['x', 'y'])
  })
})

describe('what Temporal shows of a delivery', () => {
  const label = {
    deliveryId: 'd',
    eventType: 'price.changed',
    webhookId: 'w',
    webhookName: 'Orders',
    workspaceName: 'Acme',
    eventId: 'evt_1',
  }

  it('names event, provider, resource, webhook and workspace', () => {
    expect(summaryOf({ ...label, provider: 'openai', subject: 'gpt-5' })).toBe(
      'price.changed openai gpt-5 → Orders (Acme)',
    )
    expect(summaryOf({ ...label, eventType: 'webhook.test' })).toBe('webhook.test → Orders (Acme)')
  })

  it('stays below the 400 bytes that Temporal takes, whatever the names are', () => {
    const names = { webhookName: '🦀'.repeat(80), workspaceName: '"'.repeat(80), subject: '模'.repeat(300) }
    const bytes = Buffer.byteLength(JSON.stringify(summaryOf({ ...label, provider: 'openai', ...names })))
    expect(bytes).toBeGreaterThan(200)
    expect(bytes).toBeLessThanOrEqual(300)
  })

  it('leaves half of the summary to the names, cuts at the last character that fits, and marks the cut', () => {
    const summary = (subject: string, webhookName = 'Orders') => summaryOf({ ...label, subject, webhookName })
    const event = 'price.changed '
    // Quotation marks of JSON count: 150 bytes hold 148 letters.
    const fits = 'm'.repeat(148 - event.length)
    expect(summary(fits)).toBe(`${event}${fits} → Orders (Acme)`)
    expect(summary(`${fits}m`)).toBe(`${event}${'m'.repeat(148 - event.length - 3)}… → Orders (Acme)`)
  })

  it('gives a secret in an address of either protocol no place', () => {
    const shown = (webhookName: string) => memoOf({ ...label, webhookName }).webhook
    expect(shown('http://hooks.example.com/s3cret')).toBe('http://hooks.example.com/…')
    expect(shown('https://hooks.example.com?key=s3cret')).toBe('https://hooks.example.com/…')
  })

  it('has a memo with the names, the event and what it is about, each bounded', () => {
    expect(memoOf({ ...label, provider: 'openai', subject: 'm'.repeat(3_000) })).toEqual({
      webhook: 'Orders',
      workspace: 'Acme',
      event: 'evt_1',
      provider: 'openai',
      subject: expect.stringMatching(/^m{350,400}…$/),
    })
    expect(Object.keys(memoOf({ ...label, provider: '' }))).toEqual(['webhook', 'workspace', 'event'])
  })

  it('shows no secret that someone put into a name', () => {
    const webhookName = 'https://me:pass@hooks.example.com/services/T0/B0/s3cret?token=s3cret ptk_s3cret'
    const named = { ...label, webhookName, workspaceName: 'whsec_s3cret' }
    for (const text of [summaryOf(named), JSON.stringify(memoOf(named)), webhookSummaryOf(webhookName)]) {
      expect(text).toContain('https://hooks.example.com/… ptk_[redacted]')
      expect(text).not.toMatch(/pass@|s3cret/)
    }
  })
})
