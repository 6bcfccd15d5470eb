import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import {
  changesOfRows,
  changesOfSnapshot,
  linesAround,
  type Outcome,
  removedChange,
  renamedChange,
  retiredChanges,
} from '../../src/prices/events/change-rules.ts'
import type { Change, EventFacts, EventRow } from '../../src/prices/events/change-schema.ts'
import { eventsOf } from '../../src/prices/events/event-rules.ts'
import { isRounding } from '../../src/prices/events/revision-rules.ts'
import type { Plan } from '../../src/prices/plan/schema.ts'
import { lineKey } from '../../src/prices/row-rules.ts'
import type { KnownLine } from '../../src/prices/schema.ts'

const at = '2026-11-22T10:00:00.000Z' as Instant
const earlier = '2026-11-01T10:00:00.000Z' as Instant
const LONG = '{"context":"gt_200k"}'
const PLAIN = { provider: 'acme', resource: 'm1', dimension: 'input_tokens', unit: 'usd_per_token', currency: 'USD' }

const hashOf = (name: string) => name.padEnd(64, '0')
const row = (more: Partial<EventRow> = {}): EventRow => ({
  ...PLAIN,
  pricingTier: '{}',
  price: '2',
  recordedAt: at,
  contentHash: hashOf('new'),
  ...more,
})
const known = (more: Partial<KnownLine> = {}, price = '1'): KnownLine => ({
  ...PLAIN,
  pricingTier: '{}',
  lineId: '1',
  missingCount: 0,
  current: { price, contentHash: hashOf('old'), recordedAt: earlier },
  ...more,
})
const before = { price: '1', contentHash: hashOf('old'), recordedAt: earlier }
const keyed = (...lines: KnownLine[]) => new Map(lines.map((line) => [lineKey(line), line]))
const outcome = (more: Partial<Outcome> = {}): Outcome => ({
  at,
  published: [],
  reopened: [],
  added: [],
  activated: [],
  ...more,
})
const plan = (more: Partial<Plan> = {}): Plan => ({
  publish: [],
  hold: [],
  confirmed: [],
  released: [],
  waiting: [],
  verdicts: new Map(),
  superseded: [],
  unjudged: [],
  missing: [],
  renamed: [],
  removed: [],
  retired: [],
  toReview: [],
  contested: new Map(),
  ...more,
})
const facts = (more: Partial<EventFacts> = {}): EventFacts => ({
  source: 'openrouter',
  listed: new Map(),
  creditPriced: new Set(),
  ...more,
})
const ofRows = (rows: Outcome['published'], lines = new Map<string, KnownLine>(), more: Partial<Outcome> = {}) => {
  const all = outcome({ published: rows, ...more })
  return changesOfRows(all, linesAround(lines, all))
}
const payload = (change: Change, more: Partial<EventFacts> = {}) => eventsOf([change], facts(more)).events[0]!.payload

describe('the changes of published rows', () => {
  it('are a change of price, or a revision where the price stayed', () => {
    expect(ofRows([{ row: row(), before }])).toEqual([{ kind: 'priceChanged', row: row(), before }])
    const same = row({ price: '1', category: 'chat' })
    expect(ofRows([{ row: same, before }])).toEqual([{ kind: 'priceRevised', row: same, before }])
  })

  it('are one new resource with all its lines, and a first price in a resource that is listed', () => {
    const output = row({ dimension: 'output_tokens' })
    const added = [{ provider: 'acme', resource: 'm1' }]
    expect(ofRows([{ row: row() }, { row: output }], new Map(), { added })).toEqual([
      { kind: 'resourceAdded', rows: [row(), output] },
    ])
    expect(ofRows([{ row: row() }])).toEqual([{ kind: 'lineAdded', row: row() }])
  })

  it('are a step where the base price was and stays the same', () => {
    const step = row({ pricingTier: LONG })
    const introduced = { kind: 'stepIntroduced', row: step, base: before }
    expect(ofRows([{ row: step }], keyed(known()))).toEqual([introduced])
    const first = [{ kind: 'lineAdded', row: step }]
    // A base price that is unknown, removed, in review, changed or equal says nothing about the step.
    expect(ofRows([{ row: step }])).toEqual(first)
    expect(ofRows([{ row: step }], keyed(known({ removedAt: at })))).toEqual(first)
    expect(ofRows([{ row: step }], keyed(known({}, '2')))).toEqual(first)
    expect(ofRows([{ row: step }], keyed(known({}, '0.5')))).toEqual(first)
    const base = row({ price: '1.5', contentHash: hashOf('base') })
    expect(ofRows([{ row: step }, { row: base, before }], keyed(known()))).toEqual([
      ...first,
      { kind: 'priceChanged', row: base, before },
    ])
    const all = outcome({ published: [{ row: step }] })
    const inReview = linesAround(keyed(known()), all, { inReview: [lineKey(known())] })
    expect(changesOfRows(all, inReview)).toEqual(first)
    const repeated = row({ price: '1', contentHash: hashOf('again') })
    expect(ofRows([{ row: step }, { row: repeated, before }], keyed(known()))[0]).toEqual({
      ...introduced,
      base: { price: '1', recordedAt: at, contentHash: hashOf('again') },
    })
  })
})

describe('the changes of a snapshot', () => {
  it('begin with new providers, and have the rows of a renamed resource once', () => {
    const moved = row({ resource: 'm2' })
    const old = known()
    const renaming = { provider: 'acme', from: 'm1', to: 'm2', lines: [old] }
    const result = changesOfSnapshot(
      plan({ renamed: [renaming as Plan['renamed'][number]] }),
      keyed(old),
      outcome({
        published: [{ row: moved }],
        added: [{ provider: 'acme', resource: 'm2' }],
        activated: [{ provider: 'acme', name: 'Acme' }],
      }),
    )
    expect(result).toEqual([
      { kind: 'providerAdded', provider: 'acme', name: 'Acme' },
      {
        kind: 'resourceRenamed',
        provider: 'acme',
        from: 'm1',
        to: 'm2',
        before: { ...old, ...old.current },
        rows: [moved],
      },
    ])
    const without = changesOfSnapshot(plan({ renamed: [renaming as Plan['renamed'][number]] }), keyed(old), outcome())
    expect(without).toMatchObject([{ kind: 'resourceRenamed', rows: [] }])
    expect(renamedChange({ ...renaming, lines: [] } as never, [])).toMatchObject({ before: undefined })
  })

  it('are a removed resource, missing since the first of its lines was', () => {
    const lines = [known({ missingSince: at }), known({ dimension: 'output_tokens', missingSince: earlier }), known()]
    expect(removedChange({ provider: 'acme', resource: 'm1', lines })).toEqual({
      kind: 'resourceRemoved',
      rows: lines.map((line) => ({ ...line, ...line.current })),
      missingSince: earlier,
    })
    expect(
      changesOfSnapshot(
        plan({ removed: [{ provider: 'acme', resource: 'm1', lines: [known()] }] }),
        new Map(),
        outcome(),
      ),
    ).toEqual([{ kind: 'resourceRemoved', rows: [expect.objectContaining({ price: '1' })], missingSince: undefined }])
  })

  it('are a step that was withdrawn, where the price without it goes on', () => {
    const step = known({ pricingTier: LONG }, '2')
    const around = (lines: KnownLine[], published: Outcome['published'] = []) =>
      linesAround(keyed(...lines), outcome({ published }))
    const kinds = (retired: KnownLine[], lines: ReturnType<typeof linesAround>) =>
      retiredChanges(retired, lines).map(({ kind }) => kind)
    expect(retiredChanges([step], around([known(), step]))).toEqual([
      { kind: 'stepWithdrawn', row: { ...step, ...step.current }, base: before },
    ])
    // The price without it was changed at once: that one applies from now on.
    expect(retiredChanges([step], around([known(), step], [{ row: row({ price: '1.2' }), before }]))).toMatchObject([
      { kind: 'stepWithdrawn', base: { price: '1.2', recordedAt: at } },
    ])
    expect(kinds([step, known()], around([known(), step]))).toEqual(['lineRemoved', 'lineRemoved'])
    expect(kinds([step], around([known({ removedAt: earlier }), step]))).toEqual(['lineRemoved'])
    expect(kinds([step], around([step]))).toEqual(['lineRemoved'])
    expect(kinds([step], around([known({}, '2'), step]))).toEqual(['lineRemoved'])
    expect(kinds([step], around([known({ current: undefined }), step]))).toEqual(['lineRemoved'])
  })

  it('are what is listed again: as it was, as a line, as a step, or under an old name', () => {
    const relisted = known({ removedAt: earlier })
    const reopened = [{ contentHash: hashOf('old'), removedAt: earlier }] as Outcome['reopened']
    const again = (lines: KnownLine[], more: Partial<Outcome> = {}) =>
      changesOfSnapshot(
        plan({ confirmed: [relisted, known()] }),
        keyed(relisted, ...lines),
        outcome({ reopened, ...more }),
      )
    const served = { ...relisted, ...relisted.current }
    expect(again([])).toEqual([
      {
        kind: 'restored',
        row: served,
        current: served,
        affected: { from: earlier, to: at },
        reason: 'listed again by its source',
      },
    ])
    expect(again([known({ dimension: 'output_tokens' })])).toEqual([{ kind: 'lineRelisted', row: served }])
    expect(again([], { reopened: [] })).toEqual([{ kind: 'oldNameRelisted', row: served }])
    const step = known({ pricingTier: LONG, removedAt: earlier }, '2')
    const asStep = changesOfSnapshot(plan({ confirmed: [step] }), keyed(known(), step), outcome({ reopened }))
    expect(asStep).toMatchObject([{ kind: 'stepIntroduced', base: { price: '1' } }])
  })

  it('are no step beside a base price that waits for a person', () => {
    const step = row({ pricingTier: LONG })
    const base = known()
    const changes = (more: Partial<Plan>) =>
      changesOfSnapshot(plan(more), keyed(base), outcome({ published: [{ row: step }] })).map(({ kind }) => kind)
    expect(changes({})).toEqual(['stepIntroduced'])
    expect(changes({ hold: [{ proposal: { key: lineKey(base) } }] as Plan['hold'] })).toEqual(['lineAdded'])
    expect(changes({ waiting: [{ line: base }] as Plan['waiting'] })).toEqual(['lineAdded'])
    expect(changes({ unjudged: [base] })).toEqual(['lineAdded'])
  })
})

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
