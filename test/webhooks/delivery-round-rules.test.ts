import { describe, expect, it } from 'vitest'
import { memoOf, summaryOf, webhookSummaryOf } from '../../src/webhooks/rounds/label-rules.ts'
import { type DueDelivery, RoundPlan } from '../../src/webhooks/rounds/round-rules.ts'

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

  it('counts what the round had started before a crash', () => {
    const plan = new RoundPlan(LIMITS, [['a', 2]])
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
    expect(bytes).toBeLessThanOrEqual(310)
  })

  it('has a memo with the names, the event and what it is about, each bounded', () => {
    expect(memoOf({ ...label, provider: 'openai', subject: 'm'.repeat(3_000) })).toEqual({
      webhook: 'Orders',
      workspace: 'Acme',
      event: 'evt_1',
      provider: 'openai',
      subject: expect.stringMatching(/^m{350,400}…$/),
    })
    expect(memoOf(label)).toEqual({ webhook: 'Orders', workspace: 'Acme', event: 'evt_1' })
  })

  it('shows no secret that somebody put into a name', () => {
    const webhookName = 'https://me:pass@hooks.example.com/services/T0/B0/s3cret?token=s3cret ptk_s3cret'
    const named = { ...label, webhookName, workspaceName: 'whsec_s3cret' }
    for (const text of [summaryOf(named), JSON.stringify(memoOf(named)), webhookSummaryOf(webhookName)]) {
      expect(text).toContain('https://hooks.example.com/… ptk_[redacted]')
      expect(text).not.toMatch(/pass@|s3cret/)
    }
  })
})
