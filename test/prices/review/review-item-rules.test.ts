import { describe, expect, it } from 'vitest'
import { reviewsOf } from '../../../src/prices/ingest/review-item-rules.ts'
import type { Verdict } from '../../../src/prices/plan/schema.ts'
import type { NewRow } from '../../../src/prices/schema.ts'
import { identity, verdict } from '../holds/held-lines.ts'
import { plan } from '../holds/plans.ts'

const evidence = { after: '2', fitAfter: 'plausible' as const }

type HeldItem = { inMassChange?: boolean; provider?: string; isFirst?: boolean } & Partial<Verdict>
const of = (resource: string, { inMassChange = false, provider = 'acme', isFirst, ...more }: HeldItem) => ({
  proposal: {
    key: 'k1',
    line: { ...identity, provider, resource },
    money: { price: '2' },
    locator: '/models/0',
    kind: isFirst ? ('new' as const) : ('changed' as const),
  },
  inMassChange,
  verdict: verdict(more),
})
const itemsOf = (hold: ReturnType<typeof of>[], isBehind = false) =>
  reviewsOf(plan({ hold }), hold.map((_, n) => ({ contentHash: `h${n + 1}` })) as NewRow[], { isBehind })
const shape = (items: ReturnType<typeof itemsOf>) =>
  items.map(({ kind, asks, rows }) => [kind, asks, ...rows.map(({ contentHash }) => contentHash)])

describe('the items to review', () => {
  it('are one per resource, and one per provider that is repriced as a whole', () => {
    expect(
      itemsOf([
        of('m1', { reasons: ['large_change'], evidence }),
        of('m1', { reasons: ['large_change', 'with_its_set'] }),
        of('m2', { inMassChange: true, reasons: ['mass_change'] }),
        of('m3', { inMassChange: true, reasons: ['mass_change', 'to_zero'] }),
      ]),
    ).toEqual([
      {
        provider: 'acme',
        kind: 'price',
        asks: false,
        reasons: ['large_change', 'with_its_set'],
        rows: [
          { contentHash: 'h1', reasons: ['large_change'], evidence },
          { contentHash: 'h2', reasons: ['large_change', 'with_its_set'], evidence: undefined },
        ],
      },
      {
        provider: 'acme',
        kind: 'mass_change',
        asks: true,
        reasons: ['mass_change', 'to_zero'],
        rows: [
          { contentHash: 'h3', reasons: ['mass_change'], evidence: undefined },
          { contentHash: 'h4', reasons: ['mass_change', 'to_zero'], evidence: undefined },
        ],
      },
    ])
  })

  it('are one for all resources of a provider with one doubt that time does not end, with all lines of each', () => {
    expect(
      shape(
        itemsOf([
          of('m1', { reasons: ['to_zero'] }),
          of('m1', { reasons: ['with_its_set'] }),
          of('m2', { reasons: ['large_change', 'to_zero'] }),
          of('m3', { reasons: ['power_of_ten'] }),
          of('m4', { provider: 'other', reasons: ['to_zero'] }),
          of('m5', { reasons: ['large_change'] }),
          of('m6', { reasons: ['large_change'] }),
        ]),
      ),
    ).toEqual([
      ['mass_change', true, 'h1', 'h2', 'h3'],
      ['price', true, 'h4'],
      ['price', true, 'h5'],
      ['price', false, 'h6'],
      ['price', false, 'h7'],
    ])
  })

  it('are one for a provider of which a unit was misread, whatever else speaks against its lines', () => {
    const flipped = (resource: string, ...reasons: Verdict['reasons']) =>
      of(resource, { reasons: [...reasons, 'provider_flipped_unit'] })
    expect(shape(itemsOf([flipped('m1', 'power_of_ten'), flipped('m2', 'to_zero'), flipped('m3')]))).toEqual([
      ['mass_change', true, 'h1', 'h2', 'h3'],
    ])
  })

  it('ask about first prices too, unless the list stands behind another one', () => {
    const first = [of('m1', { isFirst: true, reasons: ['unlike_other_sellers'] })]
    expect([shape(itemsOf(first)), shape(itemsOf(first, true))]).toEqual([
      [['price', true, 'h1']],
      [['price', false, 'h1']],
    ])
  })
})
