import { describe, expect, it } from 'vitest'
import type { Change, EventFacts } from '../../src/prices/events/change-schema.ts'
import { eventsOf } from '../../src/prices/events/event-rules.ts'
import { isRounding } from '../../src/prices/events/revision-rules.ts'
import { at, before, earlier, facts, hashOf, LONG, payload, row } from './event-facts.ts'

describe('the events of changes', () => {
  const types = (changes: Change[], more: Partial<EventFacts> = {}) => {
    const { events, suppressed } = eventsOf(changes, facts(more))
    return [events.map(({ type }) => type), suppressed]
  }

  it('are one per change of price, with both prices and what the row says', () => {
    const changed = row({ canonicalResource: 'maker/m1', effectiveFrom: '2026-12-01' })
    expect(eventsOf([{ kind: 'priceChanged', row: changed, before }], facts()).events).toEqual([
      {
        type: 'price.changed',
        provider: 'acme',
        resources: ['m1', 'maker/m1'],
        members: ['m1'],
        creditPriced: false,
        payload: {
          source: 'openrouter',
          resource: 'm1',
          canonicalResource: 'maker/m1',
          dimension: 'input_tokens',
          unit: 'usd_per_token',
          currency: 'USD',
          pricingTier: {},
          previous: before,
          current: { price: '2', recordedAt: at, contentHash: hashOf('new') },
          effectiveFrom: '2026-12-01',
        },
      },
    ])
    const plain = payload({ kind: 'priceChanged', row: row(), before })
    expect(Object.keys(plain)).not.toContain('effectiveFrom')
    expect(Object.keys(plain)).not.toContain('canonicalResource')
    const credit = eventsOf([{ kind: 'priceChanged', row: row(), before }], facts({ creditPriced: new Set(['acme']) }))
    expect(credit.events[0]!.creditPriced).toBe(true)
  })

  it('say of a step from which price it departs, and at which price it ends', () => {
    const step = row({ pricingTier: LONG })
    const current = { price: '2', recordedAt: at, contentHash: hashOf('new') }
    expect(payload({ kind: 'stepIntroduced', row: step, base: before })).toMatchObject({
      pricingTier: { context: 'gt_200k' },
      previous: before,
      current,
      tier: 'introduced',
    })
    expect(payload({ kind: 'stepWithdrawn', row: step, base: before })).toMatchObject({
      previous: current,
      current: before,
      tier: 'withdrawn',
    })
  })

  it('list all lines of a resource that was added, removed or renamed', () => {
    const line = {
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricingTier: {},
      price: '2',
      recordedAt: at,
      contentHash: hashOf('new'),
    }
    const identity = { source: 'openrouter', resource: 'm1' }
    expect(payload({ kind: 'resourceAdded', rows: [row()] })).toEqual({ ...identity, lines: [line] })
    expect(payload({ kind: 'resourceRemoved', rows: [row()] })).toEqual({ ...identity, lines: [line] })
    expect(payload({ kind: 'resourceRemoved', rows: [row()], missingSince: earlier })).toEqual({
      ...identity,
      lines: [line],
      missingSince: earlier,
    })
    const renamed: Change = { kind: 'resourceRenamed', provider: 'acme', from: 'm0', to: 'm1', rows: [row()] }
    expect(payload(renamed)).toEqual({ ...identity, previousResource: 'm0', lines: [line] })
    const old = row({ canonicalResource: 'maker/m0' })
    expect(payload({ ...renamed, before: old, rows: [] })).toEqual({
      ...identity,
      previousResource: 'm0',
      previousCanonicalResource: 'maker/m0',
      lines: [],
    })
  })

  it('say of a revision which fields differ, and over which time', () => {
    const was = { ...before, category: 'chat', effectiveFrom: '2026-01-01' }
    const is = row({ price: '1', category: 'code', effectiveFrom: '2026-01-01' })
    const money = { canonicalResource: undefined, billingCondition: undefined, effectiveFrom: '2026-01-01' }
    expect(payload({ kind: 'priceRevised', row: is, before: was })).toMatchObject({
      previous: { ...money, ...before, category: 'chat' },
      current: { ...money, price: '1', category: 'code', recordedAt: at, contentHash: hashOf('new') },
      revised: ['category'],
      affected: { from: earlier, to: at },
    })
  })

  it('say of a correction what was corrected, and which prices were and are', () => {
    const affected = { from: earlier, to: at }
    const withdrawn = payload({
      kind: 'withdrawn',
      row: row(),
      previous: row(),
      current: row({ price: '1' }),
      affected,
      reason: 'wrong',
    })
    const point = { recordedAt: at, contentHash: hashOf('new') }
    expect(withdrawn).toMatchObject({
      action: 'withdrawn',
      corrected: { price: '2', ...point },
      previous: { price: '2', ...point },
      current: { price: '1', ...point },
      affected,
      reason: 'wrong',
    })
    const restored = payload({ kind: 'restored', row: row(), affected, reason: 'right' })
    expect(restored).toMatchObject({ action: 'restored', corrected: { price: '2', ...point } })
    expect(Object.keys(restored)).not.toEqual(expect.arrayContaining(['previous']))
    expect(Object.keys(restored)).not.toEqual(expect.arrayContaining(['current']))
  })

  it('have new steps after all others', () => {
    const step: Change = { kind: 'stepIntroduced', row: row({ pricingTier: LONG }), base: before }
    const changed: Change = { kind: 'priceChanged', row: row(), before }
    const provider: Change = { kind: 'providerAdded', provider: 'acme', name: 'Acme' }
    expect(
      eventsOf([step, changed, provider], facts()).events.map(({ payload: { tier }, type }) => [type, tier]),
    ).toEqual([
      ['price.changed', undefined],
      ['provider.added', undefined],
      ['price.changed', 'introduced'],
    ])
  })

  it('are none for what is no change of an offer, which is counted by its reason', () => {
    const revised: Change = { kind: 'priceRevised', row: row({ price: '1', category: 'chat' }), before }
    expect(
      types([revised, { kind: 'priceChanged', row: row({ price: '1.004' }), before: { ...before, price: '1.0' } }]),
    ).toEqual([[], { detail_learned: 1, rounding: 1 }])
    const kinds = ['lineAdded', 'lineRelisted', 'lineRemoved', 'oldNameRelisted'] as const
    expect(types([...kinds, 'lineAdded' as const].map((kind) => ({ kind, row: row() })))).toEqual([
      [],
      { line_first_priced: 2, line_listed_again: 1, line_withdrawn: 1, listed_again_under_old_name: 1 },
    ])
  })

  it('are none for revisions of more than a fifth of the resources of a provider, five at least', () => {
    const revisions = (count: number): Change[] =>
      Array.from({ length: count }, (_, n) => ({
        kind: 'priceRevised' as const,
        row: row({ resource: `m${n}`, price: '1', category: 'code' }),
        before: { ...before, category: 'chat' },
      }))
    const of = (count: number, listed: number) => types(revisions(count), { listed: new Map([['acme', listed]]) })[1]
    expect(of(5, 24)).toEqual({ revised_everywhere: 5 })
    expect(of(5, 25)).toEqual({})
    expect(of(4, 4)).toEqual({})
    expect(types(revisions(5))[1]).toEqual({ revised_everywhere: 5 })
  })

  it('are none for steps of more than three products at once: only the list changed', () => {
    const steps = (kind: 'stepIntroduced' | 'stepWithdrawn', count: number): Change[] =>
      ['alpha', 'beta', 'gamma', 'delta'].slice(0, count).map((resource) => ({
        kind,
        row: row({ resource, pricingTier: LONG }),
        base: before,
      }))
    expect(types([...steps('stepIntroduced', 4), ...steps('stepWithdrawn', 4)])).toEqual([
      [],
      { steps_learned: 4, steps_dropped: 4 },
    ])
    expect(types([...steps('stepIntroduced', 3), ...steps('stepWithdrawn', 3)])).toEqual([
      Array(6).fill('price.changed'),
      {},
    ])
  })
})

describe('a rounding', () => {
  it('is the same price with fewer digits, off by half of the last one and by a hundredth at most', () => {
    const pairs: [string, string, boolean][] = [
      ['0.000125', '0.00013', false],
      ['0.003125', '0.0031', true],
      ['0.0031', '0.003125', true],
      ['1.005', '1', true],
      ['1.5', '1', false],
      ['51.5', '52', true],
      ['49.5', '50', false],
      ['100', '101', false],
      ['0.15', '0.25', false],
      ['2.005', '2.00', true],
      ['2.0051', '2.00', false],
      ['2.0149', '2.00', false],
    ]
    for (const [one, other, expected] of pairs)
      expect([one, other, isRounding(one, other)]).toEqual([one, other, expected])
  })
})
