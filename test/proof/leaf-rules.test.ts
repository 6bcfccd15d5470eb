import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { inLogOrder, leafText, type ProviderLeaf, type RowLeaf, readLeaf } from '../../src/proof/tree/leaf-rules.ts'

const at = (second: number) => `2026-11-20T03:00:0${second}.000Z` as Instant
const HASH = 'a'.repeat(64)
const row = (second: number, status: RowLeaf['status'] = 'approved'): RowLeaf => ({
  ...{ kind: 'row', at: at(second), contentHash: HASH, status },
})
const provider = (second: number, status: ProviderLeaf['status'] = 'active'): ProviderLeaf => ({
  ...{ kind: 'provider', at: at(second), provider: 'acme', status },
})

describe('the text of a leaf', () => {
  it.each([
    ...(['approved', 'auto_approved', 'withdrawn', 'removed'] as const).map((status) => row(1, status)),
    ...(['pending', 'active', 'retired'] as const).map((status) => provider(1, status)),
    ...(['installed', 'restored', 'renamed'] as const).map((reason) => ({
      ...{ kind: 'origin' as const, at: at(1), origin: 'log.test', reason },
    })),
    {
      ...{ kind: 'origin' as const, at: at(1), origin: 'log.test/0a1b2c3d', reason: 'restored' as const },
      ...{ previousOrigin: 'log.test', lostAfter: at(2), lostUntil: at(3) },
    },
  ])('is read as what it says: %j', (leaf) => {
    expect(readLeaf(leafText(leaf))).toEqual(leaf)
  })

  it('is canonical JSON: keys in order, nothing between', () => {
    expect(leafText(row(1))).toBe(`{"at":"${at(1)}","contentHash":"${HASH}","kind":"row","status":"approved"}`)
    expect(leafText(provider(1))).toBe(`{"at":"${at(1)}","kind":"provider","provider":"acme","status":"active"}`)
  })

  it.each([
    '',
    'null',
    '{"kind":"row"}',
    leafText(row(1)).replace('approved', 'pending_review'),
    leafText(row(1)).replace(HASH, 'A'.repeat(64)),
    leafText(row(1)).replace('{', '{"price":"1",'),
    leafText(row(1)).replace('"row"', '"price"'),
    leafText(provider(1)).replace('active', 'gone'),
    leafText(provider(1)).replace('{', '{"price":"1",'),
    '{"at":"2026-11-20T03:00:00.000Z","kind":"origin","origin":"log.test","reason":"bought"}',
    '{"at":"2026-11-20T03:00:00.000Z","kind":"origin","origin":"log.test","reason":"restored","price":"1"}',
  ])('is nothing else: %s', (text) => {
    expect(readLeaf(text)).toBeUndefined()
  })
})

describe('the order of the log', () => {
  it('has providers before the rows of their instant, and those after all rows last', () => {
    const [early, same, late, last] = [provider(1), provider(2), provider(4), provider(5)]
    expect(inLogOrder([early, same, late, last], [row(2), row(2, 'removed'), row(3)])).toEqual([
      early,
      same,
      row(2),
      row(2, 'removed'),
      row(3),
      late,
      last,
    ])
  })

  it('has what there is of one kind alone', () => {
    expect(inLogOrder([provider(1), provider(2)], [])).toEqual([provider(1), provider(2)])
    expect(inLogOrder([], [row(1)])).toEqual([row(1)])
    expect(inLogOrder([provider(1)], [row(2), row(3)])).toEqual([provider(1), row(2), row(3)])
  })
})
