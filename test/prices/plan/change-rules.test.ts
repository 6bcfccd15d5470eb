import { describe, expect, it } from 'vitest'
import {
  changesOfRows,
  changesOfSnapshot,
  linesAround,
  type Outcome,
  removedChange,
  renamedChange,
  retiredChanges,
} from '../../../src/prices/events/change-rules.ts'
import type { EventRow } from '../../../src/prices/events/change-schema.ts'
import type { Plan } from '../../../src/prices/plan/schema.ts'
import { lineKey } from '../../../src/prices/row-rules.ts'
import type { KnownLine } from '../../../src/prices/schema.ts'
import { at, before, earlier, hashOf, keyed, known, LONG, ofRows, outcome, row } from '../events/event-facts.ts'
import { plan } from '../holds/plans.ts'

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

  it('are a line that begins again where it had ended, and what it cost before is not a price before', () => {
    const reopened = [{ contentHash: hashOf('old'), removedAt: earlier }] as Outcome['reopened']
    const [ended, listed] = [known({ removedAt: earlier }), known({ dimension: 'output_tokens' })]
    const again = (back: EventRow, lines: KnownLine[], more: Partial<Outcome> = {}) =>
      ofRows([{ row: back, before }], keyed(...lines), { reopened, ...more })
    const begun = (row: EventRow) => [{ kind: 'lineAdded', row }]
    const same = row({ price: '1', category: 'chat' })
    for (const one of [row(), same]) expect(again(one, [ended, listed])).toEqual(begun(one))
    expect(again(row(), [ended])).toEqual(begun(row()))
    // A resource that was removed with its price and is back at it was only not served.
    expect(again(same, [ended])).toEqual([
      {
        kind: 'restored',
        row: { ...same, ...before },
        current: same,
        affected: { from: earlier, to: at },
        reason: 'listed again by its source',
      },
    ])
    // The row of a former name was served all the time.
    expect(again(row(), [ended], { reopened: [] })).toEqual([{ kind: 'priceChanged', row: row(), before }])
    const takenOver = [{ provider: 'acme', resource: 'm1' }]
    for (const one of [row(), same])
      expect(again(one, [ended], { takenOver })).toEqual([{ kind: 'sourceChanged', row: one }])
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
    expect(again([known({ dimension: 'output_tokens' })])).toEqual([{ kind: 'lineAdded', row: served }])
    expect(again([], { reopened: [] })).toEqual([{ kind: 'oldNameRelisted', row: served }])
    const step = known({ pricingTier: LONG, removedAt: earlier }, '2')
    const asStep = changesOfSnapshot(plan({ confirmed: [step] }), keyed(known(), step), outcome({ reopened }))
    expect(asStep).toMatchObject([{ kind: 'stepIntroduced', base: { price: '1' } }])
  })

  it('are not steps beside a base price that waits for a person', () => {
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
