import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { findRenames, type NamedResource, pricesHash } from '../../../src/prices/plan/renames/rename-rules.ts'

const named = (resource: string, more: Partial<NamedResource> = {}): NamedResource => ({
  provider: 'acme',
  resource,
  prices: 'same',
  ...more,
})
const other = { prices: 'other' }
const since = (instant: string) => ({ since: instant as Instant })
type Names = NamedResource[]
const renames = (missing: Names, fresh: Names, listedBefore: Names = []) =>
  findRenames(missing, fresh, listedBefore).map(({ from, to, verdict }) => [from.resource, to.resource, verdict])

describe('the hash of the prices of a resource', () => {
  it('is that of its lines and prices, in whatever order', () => {
    const hash = pricesHash(new Map([['input', '1'], ['output', '2']])) // biome-ignore format: a table
    expect(hash).toMatch(/^[\da-f]{64}$/)
    expect(pricesHash(new Map([['output', '2'], ['input', '1']]))).toBe(hash) // biome-ignore format: a table
    expect(pricesHash(new Map([['input', '2'], ['output', '1']]))).not.toBe(hash) // biome-ignore format: a table
    expect(pricesHash(new Map([['input', '1']]))).not.toBe(hash)
    expect(pricesHash(new Map([['input', '1output=2']]))).not.toBe(hash)
  })
})

describe('a missing resource', () => {
  it('is renamed to the one new name that is the same and has the same prices, of its own provider', () => {
    expect(renames([named('falcon-9')], [named('Falcon_9'), named('eagle')])).toEqual([
      ['falcon-9', 'Falcon_9', 'renamed'],
    ])
    expect(renames([named('falcon-9')], [named('Falcon_9', { provider: 'other' })])).toEqual([])
    expect(renames([], [named('Falcon_9')])).toEqual([])
    expect(renames([named('falcon-9')], [])).toEqual([])
  })

  it('is possibly renamed where another new name is the same, whatever that costs', () => {
    expect(renames([named('falcon-9')], [named('eu/falcon-9'), named('us/falcon-9', other)])).toEqual([
      ['falcon-9', 'eu/falcon-9', 'possible'],
    ])
    // A name that was listed before is not a rival, and neither is that of another maker.
    expect(renames([named('falcon-9')], [named('eu/falcon-9')], [named('us/falcon-9', since('2026-01'))])).toEqual([
      ['falcon-9', 'eu/falcon-9', 'renamed'],
    ])
    expect(renames([named('eu/falcon-9')], [named('eu/Falcon-9'), named('us/falcon-9', other)])).toEqual([
      ['eu/falcon-9', 'eu/Falcon-9', 'renamed'],
    ])
  })

  it('is possibly renamed to the most similar new name with the same prices, from half of its letters on', () => {
    expect(renames([named('falcon-9')], [named('falcon-11'), named('falcon-19'), named('falco')])).toEqual([
      ['falcon-9', 'falcon-19', 'possible'],
    ])
    // abcd and cdxx have half of their letters in common, abcde and dexxx less.
    expect(renames([named('abcd')], [named('cdxx')])).toEqual([['abcd', 'cdxx', 'possible']])
    expect(renames([named('abcde')], [named('dexxx')])).toEqual([])
    expect(renames([named('ab')], [named('cdefghabcdefgh')])).toEqual([['ab', 'cdefghabcdefgh', 'possible']])
  })

  it('is possibly renamed to its own name in another spelling, at other prices or none', () => {
    expect(renames([named('falcon-9')], [named('falcon 9', other)])).toEqual([['falcon-9', 'falcon 9', 'possible']])
    expect(renames([named('a/b')], [named('c/b', other)])).toEqual([])
    expect(renames([named('falcon-9')], [], [named('falcon 9', { ...other, ...since('2026-01') })])).toEqual([
      ['falcon-9', 'falcon 9', 'possible'],
    ])
  })

  it('is possibly a similar name that was listed before at the same prices, and is not another variant', () => {
    const listed = (resource: string, more: Partial<NamedResource> = {}) =>
      renames([named('falcon-heavy')], [], [named(resource, { ...since('2026-01'), ...more })])
    expect(listed('falcon-heavier')).toEqual([['falcon-heavy', 'falcon-heavier', 'possible']])
    expect(listed('falcon-heavier', other)).toEqual([])
    expect(listed('falcon-heavy-9')).toEqual([])
    expect(listed('falcon-soft')).toEqual([])
  })

  it('is possibly replaced by a name of the same product that was listed later', () => {
    const replacedBy = (instant: string, from: Partial<NamedResource> = since('2026-02')) =>
      renames([named('x-9-a-20260205', from)], [], [named('a-9-x', { ...other, ...since(instant) })]).length
    expect([replacedBy('2026-03'), replacedBy('2026-02'), replacedBy('2026-01')]).toEqual([1, 0, 0])
    expect(replacedBy('2026-03', {})).toBe(0)
    expect(renames([named('x-9-a-20260205')], [named('a-9-x', other)])).toHaveLength(1)
    expect(renames([named('lab/x-9-20260205')], [named('zoo/9-x', other)])).toEqual([])
  })

  it('is possibly renamed and repriced at once, to a new name that contains six of its letters and more', () => {
    const repriced = (from: string, to: string) => renames([named(from)], [named(to, other)]).length
    expect([repriced('falcon', 'best-falcon-9'), repriced('best-falcon-9', 'falcon')]).toEqual([1, 1])
    expect([repriced('falco', 'best-falco-9'), repriced('best-falco-9', 'falco')]).toEqual([0, 0])
  })

  it('is possibly renamed and repriced at once, to a new name with eight of ten letters and the same variant', () => {
    const repriced = (from: string, to: string) => renames([named(from)], [named(to, other)]).length
    // Eight of ten letters are common in the first pair, seven in the second.
    expect(repriced('abcdefghij', 'abcdefghxy')).toBe(1)
    expect(repriced('abcdefghij', 'abcdefgxyz')).toBe(0)
    expect(repriced('falcon-heavy-x', 'falcon-heavy-9')).toBe(0)
    expect([repriced('abcd', 'abxycd'), repriced('abcd', 'abxyzcd')]).toEqual([1, 0])
  })

  it('has no other name only because both are free', () => {
    const free = (resource: string, more: Partial<NamedResource> = {}) =>
      named(resource, { prices: '0', isFree: true, ...more })
    expect(renames([free('llama-4-scout:free')], [free('qwen3-coder-next')])).toEqual([])
    expect(renames([free('gemma-3-27b')], [free('gemma-3n-e4b')])).toEqual([])
  })

  it('is never surely renamed when it is free, or when two old names have one new one', () => {
    expect(renames([named('falcon-9', { isFree: true })], [named('falcon 9')])).toEqual([
      ['falcon-9', 'falcon 9', 'possible'],
    ])
    expect(renames([named('falcon-9'), named('falcon_9')], [named('falcon 9')])).toEqual([
      ['falcon-9', 'falcon 9', 'possible'],
      ['falcon_9', 'falcon 9', 'possible'],
    ])
  })

  it('is compared with new names until a hundred million letters were compared, and then for equality alone', () => {
    const missing = Array.from({ length: 460 }, (_, n) => named(`${'a'.repeat(290)}${n}`))
    const fresh = Array.from({ length: 460 }, (_, n) => named(`${'b'.repeat(190)}${n}`, other))
    const [near, spelled] = [named('abcdefghij'), named('falcon-9')]
    const found = (names: Names) =>
      renames(names, [...fresh, named('abcdefghxy', other), named('falcon 9', other)]).map(([, to]) => to)
    expect(found([near, ...missing, spelled])).toEqual(['abcdefghxy', 'falcon 9'])
    expect(found([...missing, near, spelled])).toEqual(['falcon 9'])
  })
})
