import { describe, expect, it } from 'vitest'
import type { Change, EventFacts } from '../../../src/prices/events/change-schema.ts'
import { eventsOf } from '../../../src/prices/events/event-rules.ts'
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
          shown: { previous: '1,000,000.00', current: '2,000,000.00', per: 'million tokens', change: '+100%' },
        },
      },
    ])
    const plain = payload({ kind: 'priceChanged', row: row(), before })
    expect(Object.keys(plain)).not.toContain('effectiveFrom')
    expect(Object.keys(plain)).not.toContain('canonicalResource')
    const credit = eventsOf([{ kind: 'priceChanged', row: row(), before }], facts({ creditPriced: new Set(['acme']) }))
    expect(credit.events[0]!.creditPriced).toBe(true)
  })

  it('say what is announced, changed or withdrawn; only what a first snapshot announces is not sent', () => {
    const { price: _, recordedAt: __, contentHash: ___, ...line } = row({ canonicalResource: 'maker/m1' })
    const [one, other] = [
      { price: '2', effectiveFrom: '2027-01-01' },
      { price: '3', effectiveFrom: '2027-01-01' },
    ]
    const announced: Change = {
      kind: 'priceAnnounced',
      action: 'announced',
      row: line,
      current: before,
      announced: one,
    }
    const changed: Change = { kind: 'priceAnnounced', action: 'changed', row: line, announced: other, replaces: one }
    const withdrawn: Change = {
      kind: 'priceAnnounced',
      action: 'withdrawn',
      row: line,
      current: before,
      replaces: other,
    }
    const of = {
      ...{ source: 'openrouter', resource: 'm1', canonicalResource: 'maker/m1', dimension: 'input_tokens' },
      ...{ unit: 'usd_per_token', currency: 'USD', pricingTier: {} },
    }
    expect([announced, changed, withdrawn].map((change) => payload(change))).toEqual([
      { ...of, action: 'announced', current: before, announced: one },
      { ...of, action: 'changed', announced: other, replaces: one },
      { ...of, action: 'withdrawn', current: before, replaces: other },
    ])
    expect(Object.keys(payload(changed))).not.toContain('current')
    expect(Object.keys(payload(withdrawn))).not.toContain('announced')
    const first = types([announced, changed, withdrawn], { isFirstSnapshot: true })
    expect(first).toEqual([['price.announced', 'price.announced'], { first_snapshot: 1 }])
    const inCredits: Change = { ...announced, row: { ...line, currency: 'ACME_AI_CREDIT' } }
    expect([announced, inCredits].map((change) => eventsOf([change], facts()).events[0]!.creditPriced)).toEqual([
      false,
      true,
    ])
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

  it('say where the price that holds from now on was read, and how people read the prices', () => {
    const read = (page: string) => ({ address: `https://acme.example/${page}`, at: earlier, rank: 'provider' as const })
    const reads = new Map([
      [hashOf('new'), read('new')],
      [hashOf('old'), read('old')],
    ])
    const [one, two] = ['1,000,000.00', '2,000,000.00']
    const affected = { from: earlier, to: at }
    const of = (change: Change) => {
      const { read, shown } = payload(change, { reads })
      return { read, shown }
    }
    const per = 'million tokens'
    expect(of({ kind: 'priceChanged', row: row(), before })).toMatchObject({ read: read('new') })
    expect(of({ kind: 'lineAdded', row: row() })).toEqual({ read: read('new'), shown: { current: two, per } })
    expect(of({ kind: 'lineRemoved', row: row() })).toEqual({ read: undefined, shown: { previous: two, per } })
    const step = { row: row({ pricingTier: LONG }), base: before }
    expect(of({ kind: 'stepIntroduced', ...step })).toEqual({
      read: read('new'),
      shown: { previous: one, current: two, per, change: '+100%' },
    })
    expect(of({ kind: 'stepWithdrawn', ...step })).toEqual({
      read: read('old'),
      shown: { previous: two, current: one, per, change: '−50%' },
    })
    const corrected = { row: row(), affected, reason: 'wrong' }
    expect(of({ kind: 'withdrawn', ...corrected, previous: row(), current: row(before) })).toEqual({
      read: read('old'),
      shown: { previous: two, current: one, per, change: '−50%' },
    })
    expect(of({ kind: 'withdrawn', ...corrected, previous: row() })).toEqual({
      read: undefined,
      shown: { previous: two, per },
    })
    expect(Object.keys(payload({ kind: 'priceChanged', row: row(), before }))).not.toContain('read')
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

  it('of a list that starts quietly are not events, but for a provider that is new and a price that was served', () => {
    const provider: Change = { kind: 'providerAdded', provider: 'acme', name: 'Acme' }
    const added: Change = { kind: 'resourceAdded', rows: [row()] }
    const changed: Change = { kind: 'priceChanged', row: row(), before }
    const { events, suppressed } = eventsOf(
      [provider, added, changed],
      facts({ isFirstSnapshot: true, startsQuietly: true }),
    )
    expect(events.map(({ type }) => type)).toEqual(['provider.added', 'price.changed'])
    expect(suppressed).toEqual({ first_snapshot: 1 })
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

  it('are one for a line that begins or ends in a resource that is listed, without the price it does not have', () => {
    const point = { price: '2', recordedAt: at, contentHash: hashOf('new') }
    const begun = payload({ kind: 'lineAdded', row: row() })
    expect(begun).toMatchObject({ dimension: 'input_tokens', current: point })
    expect(Object.keys(begun)).not.toContain('previous')
    const ended = payload({ kind: 'lineRemoved', row: row() })
    expect(ended).toMatchObject({ dimension: 'input_tokens', previous: point })
    expect(Object.keys(ended)).not.toContain('current')
  })

  it('are none for the first snapshot of a source that prices what another one listed', () => {
    expect(types([{ kind: 'lineAdded', row: row() }], { isFirstSnapshot: true })).toEqual([[], { first_snapshot: 1 }])
    expect(types([{ kind: 'oldNameRelisted', row: row() }])).toEqual([[], { listed_again_under_old_name: 1 }])
    expect(types([{ kind: 'priceRevised', row: row({ price: '1' }), before }])).toEqual([[], { same_again: 1 }])
  })

  it('are one for every change of a published price, however small', () => {
    const pairs = [
      ['19.99', '20'],
      ['0.00000138', '0.000001375'],
      ['1', '1.004'],
    ] as const
    for (const [price, next] of pairs)
      expect(types([{ kind: 'priceChanged', row: row({ price: next }), before: { ...before, price } }])).toEqual([
        ['price.changed'],
        {},
      ])
  })

  it.each(['effectiveFrom', 'canonicalResource', 'category', 'billingCondition'] as const)(
    'are a price.revised where the price stayed and another money field changed, appeared or is gone: %s',
    (field) => {
      for (const [one, other] of [
        ['a', 'b'],
        [undefined, 'b'],
        ['a', undefined],
      ]) {
        const revised = { kind: 'priceRevised' as const, row: row({ price: '1', [field]: other }) }
        const { events } = eventsOf([{ ...revised, before: { ...before, [field]: one } }], facts())
        expect(events.map(({ type, payload }) => [type, payload.revised])).toEqual([['price.revised', [field]]])
        const ids = field === 'canonicalResource' ? [other, one].filter((id) => id !== undefined) : []
        expect(events[0]!.resources).toEqual(['m1', ...ids])
      }
    },
  )

  it('are one each when a source begins to say something of all its prices', () => {
    const revisions = Array.from({ length: 25 }, (_, n) => ({
      kind: 'priceRevised' as const,
      row: row({ resource: `m${n}`, price: '1', category: 'code' }),
      before,
    }))
    expect(types(revisions)).toEqual([Array(25).fill('price.revised'), {}])
  })

  it('are lines that begin and end where more than three products have steps at once: only the list changed', () => {
    const steps = (kind: 'stepIntroduced' | 'stepWithdrawn', count: number): Change[] =>
      ['alpha', 'beta', 'gamma', 'delta'].slice(0, count).map((resource) => ({
        kind,
        row: row({ resource, pricingTier: LONG }),
        base: before,
      }))
    const points = (changes: Change[]) =>
      eventsOf(changes, facts()).events.map(({ payload }) =>
        ['tier', 'previous', 'current'].filter((key) => key in payload),
      )
    const [begun, ended, step] = [['current'], ['previous'], ['tier', 'previous', 'current']]
    expect(points([...steps('stepIntroduced', 4), ...steps('stepWithdrawn', 4)])).toEqual([
      ...Array(4).fill(ended),
      ...Array(4).fill(begun),
    ])
    expect(points([...steps('stepIntroduced', 3), ...steps('stepWithdrawn', 3)])).toEqual(Array(6).fill(step))
  })
})
