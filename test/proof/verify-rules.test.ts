import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { contentHash } from '../../src/prices/row-rules.ts'
import type { StoredRow } from '../../src/prices/store/row-store.ts'
import type { ServedRecord } from '../../src/proof/record-store.ts'
import type { ProviderLeaf, RowLeaf } from '../../src/proof/tree/leaf-rules.ts'
import { compareProviders, compareRow, compareStatuses, inOrder } from '../../src/proof/verify/verify-rules.ts'

const at = (second: number) => `2026-11-20T03:00:0${second}.000Z` as Instant
const [A, B, C] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
const row = (hash: string, second: number, status: RowLeaf['status'] = 'approved'): RowLeaf => ({
  ...{ kind: 'row', at: at(second), contentHash: hash, status },
})
const provider = (name: string, status: ProviderLeaf['status'] = 'active'): ProviderLeaf => ({
  ...{ kind: 'provider', at: at(1), provider: name, status },
})
const placed = <T>(index: number, leaf: T) => ({ index, leaf })

describe('the statuses of rows beside their leaves', () => {
  const logged = [placed(1, row(A, 1)), placed(2, row(B, 2)), placed(3, provider('acme'))]

  it('fit where they are the same', () => {
    expect(compareStatuses(logged, [row(A, 1), row(B, 2)], new Set([A, B]))).toEqual([])
  })

  it('name a row that was removed, and one whose status was changed, once', () => {
    expect(compareStatuses(logged, [row(B, 2, 'withdrawn')], new Set([B]))).toEqual([
      { leaf: 1, what: 'row_removed', message: `Row ${A}, approved at ${at(1)}, was removed from the database.` },
      {
        leaf: 2,
        what: 'status_changed',
        message: `Row ${B} became approved at ${at(2)}: the database says something else, or nothing.`,
      },
    ])
  })

  it('name a row that was added, at the leaf before which it would be', () => {
    const added = (leaf: number | undefined, second: number) => ({
      leaf,
      what: 'row_added',
      message: `Row ${C} became approved at ${at(second)} as the database says, and the log does not: it was added or changed later.`,
    })
    const known = new Set([A, B])
    const rows = [placed(1, row(A, 1)), placed(2, row(B, 3))]
    expect(compareStatuses(rows, [row(A, 1), row(C, 2), row(B, 3)], known)).toEqual([added(2, 2)])
    // Of the same instant as a leaf it comes behind it.
    expect(compareStatuses(rows, [row(A, 1), row(C, 1), row(B, 3)], known)).toEqual([added(2, 1)])
    expect(compareStatuses(rows, [row(A, 1), row(B, 3), row(C, 4)], known)).toEqual([added(2, 4)])
    expect(compareStatuses([], [row(C, 1)], new Set())).toEqual([added(undefined, 1)])
  })
})

describe('a row beside its leaf', () => {
  const facts = {
    ...{ source: 'list', provider: 'acme', resource: 'm', dimension: 'input_tokens', unit: 'usd_per_token' },
    ...{ currency: 'USD', pricingTier: '{}', price: '0.000002', recordedAt: at(1), canonicalResource: 'acme/m' },
  }
  const hash = contentHash(facts.source, facts, facts, facts.recordedAt)
  const stored = { ...facts, contentHash: hash } as StoredRow
  const served = {
    ...{ source: 'list', provider: 'acme', resource: 'm', dimension: 'input_tokens', unit: 'usd_per_token' },
    ...{ currency: 'USD', pricingTier: {}, price: '0.000002', recordedAt: at(1), contentHash: hash },
    by: ['acme', 'list', 'm', 'input_tokens', 'USD', 'acme/m', at(1), hash],
  }
  const record: ServedRecord = {
    ...{ contentHash: hash, served: [served], published: [at(1)], publishedByStatus: [at(1)] },
    ...{ ended: [at(3)], endedByStatus: [at(3)] },
  }
  const name = `${hash} (acme m, input_tokens)`

  it('fits where its facts have its hash, and it is served as they say, when its statuses say', () => {
    expect(compareRow(7, hash, stored, record)).toEqual([])
    expect(compareRow(7, hash, stored, { ...record, served: [] })).toEqual([])
  })

  it('was removed where it is not there', () => {
    expect(compareRow(7, hash, undefined, record)).toEqual([
      { leaf: 7, what: 'row_removed', message: `Row ${hash} was removed from the database.` },
    ])
  })

  it('was edited where its facts have another hash', () => {
    expect(compareRow(7, hash, { ...stored, price: '0.000003' }, record)).toEqual([
      {
        leaf: 7,
        what: 'row_edited',
        message: `Row ${name} was edited: what is recorded (price 0.000003 USD, recorded at ${at(1)}) does not have its hash.`,
      },
    ])
  })

  it.each([
    ['another price', { ...served, price: '0.000003' }, '0.000003'],
    ['another tier', { ...served, pricingTier: { region: 'eu' } }, '0.000002'],
    ['what answers are narrowed by', { ...served, by: ['other', ...served.by.slice(1)] }, '0.000002'],
  ])('is served otherwise: %s', (_, other, price) => {
    expect(compareRow(7, hash, stored, { ...record, served: [served, other] })).toEqual([
      {
        leaf: 7,
        what: 'served_differs',
        message: `Row ${name} is served otherwise (price 0.000002, ${price}) than it was recorded (price 0.000002).`,
      },
    ])
  })

  it('without a canonical id is served without one', () => {
    const { canonicalResource: _, ...bare } = facts
    const bareHash = contentHash(bare.source, bare, bare, bare.recordedAt)
    const text = { ...served, contentHash: bareHash, by: [...served.by.slice(0, 5), null, at(1), bareHash] }
    const row = { ...bare, contentHash: bareHash } as StoredRow
    expect(compareRow(7, bareHash, row, { ...record, served: [text] })).toEqual([])
  })

  it.each([
    ['from another instant', { published: [at(2)] }, `from ${at(2)} until ${at(3)}`],
    ['to another instant', { ended: [at(4)] }, `from ${at(1)} until ${at(4)}`],
    ['still', { ended: [] }, `from ${at(1)} until now`],
    ['never', { published: [], ended: [] }, 'from never until now'],
    ['twice', { published: [at(1), at(2)] }, `from ${at(1)}, ${at(2)} until ${at(3)}`],
  ])('is served %s', (_, periods, when) => {
    expect(compareRow(7, hash, stored, { ...record, ...periods })).toEqual([
      {
        leaf: 7,
        what: 'served_differs',
        message: `Row ${name} is served ${when}, which is not when its statuses say.`,
      },
    ])
  })
})

describe('providers beside their leaves', () => {
  const logged = [placed(1, provider('acme')), placed(2, provider('globex', 'retired'))]

  it('fit where they are the same', () => {
    expect(compareProviders(logged, [provider('acme'), provider('globex', 'retired')])).toEqual([])
  })

  it('name what either of them lacks', () => {
    expect(compareProviders(logged, [provider('acme', 'pending'), provider('globex', 'retired')])).toEqual([
      {
        leaf: 1,
        what: 'provider_changed',
        message: `Provider acme became active at ${at(1)}: the database says something else, or nothing.`,
      },
      {
        what: 'provider_changed',
        message: `Provider acme became pending at ${at(1)} as the database says, and the log does not.`,
      },
    ])
  })
})

it('findings come in the order of leaves, those of no leaf first', () => {
  const finding = (leaf?: number) => ({ leaf, what: 'log_cut' as const, message: '' })
  const given = [finding(3), finding(), finding(0), finding(1)]
  expect(inOrder(given).map(({ leaf }) => leaf)).toEqual([undefined, 0, 1, 3])
  expect(given[0]!.leaf).toBe(3)
})
