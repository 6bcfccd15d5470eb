import { describe, expect, it } from 'vitest'
import {
  contains,
  core,
  nameParts,
  product,
  sameMaker,
  sameName,
  sameProduct,
  similarity,
} from '../../../src/prices/plan/renames/name-rules.ts'

type Compare = typeof sameName
const compare = (rule: Compare, a: string, b: string) => [
  rule(nameParts(a), nameParts(b)),
  rule(nameParts(b), nameParts(a)),
]
const YES = [true, true]
const NO = [false, false]

describe('the parts of a name', () => {
  it.each([
    ['anthropic/Claude-3.5', 'claude35', 'anthropic'],
    ['claude-3p5', 'claude35', ''],
    ['claude-3-5:0', 'claude35', ''],
    ['claude:0-3', 'claude03', ''],
    ['v0:1', 'v01', ''],
    ['meta.llama3-8b-v1%3A0', 'metallama38bv1', ''],
    ['100%-Model', '100model', ''],
    ['a/b c/Größe_9', 'größe9', 'abc'],
    ['p5', 'p5', ''],
  ])('%s has the core %s and the maker %s', (name, itsCore, maker) => {
    expect([core(name), nameParts(name).maker]).toEqual([itsCore, maker])
  })

  it('are the words of its last segment too', () => {
    expect([...nameParts('lab/Falcon--9_Mini.').words]).toEqual(['falcon', '9', 'mini'])
  })

  it('are those of its first 300 characters', () => {
    expect(core('x'.repeat(301))).toBe('x'.repeat(300))
  })

  it.each([
    ['falcon-9-20260205', '9-falcon'],
    ['falcon-9@2026-02-05', '9-falcon'],
    ['falcon-9-latest', '9-falcon'],
    ['falcon-9@default', '9-falcon'],
    ['9-falcon', '9-falcon'],
    ['falcon-latest-9', '9-falcon-latest'],
    ['falcon-9-20261305x', '20261305x-9-falcon'],
    ['falcon  9', '9-falcon'],
    ['lab/falcon-9', '9-falcon'],
  ])('of %s are of the product %s, whatever their order and the version they pin', (name, its) => {
    expect(product(name)).toBe(its)
  })
})

describe('two names', () => {
  it.each([
    ['meta/llama', 'meta-llama/llama', YES],
    ['llama', 'meta/llama', YES],
    ['meta/llama', 'nvidia/llama', NO],
  ])('%s and %s have the same maker or not', (a, b, expected) => {
    expect(compare(sameMaker, a, b)).toEqual(expected)
  })

  it('may contain each other', () => {
    expect(compare(contains, 'falcon-9', 'falcon-9-mini')).toEqual(YES)
    expect(compare(contains, 'falcon-9', 'falcon-8')).toEqual(NO)
  })

  it.each([
    ['BGE-M3', 'bge_m3', YES],
    ['maker-falcon', 'maker/Falcon', YES],
    ['maker-falcon', 'maker-lab/falcon', YES],
    ['maker-falco', 'maker/falco', NO],
    ['other-falcon', 'maker/falcon', NO],
    ['maker-falcon-9', 'maker/falcon', NO],
    ['maker-eagle9', 'maker/falcon', NO],
    ['a-falcon', 'falcon', NO],
    ['a/falcon', 'b/falcon', NO],
  ])('%s and %s are one name in another spelling, or with its maker, or not', (a, b, expected) => {
    expect(compare(sameName, a, b)).toEqual(expected)
  })

  it.each([
    ['falcon-chat-bot', 'falcon-bot', NO],
    ['falcon-9', 'falcon-8', NO],
    ['falcon-9', 'falcon-9-omni', YES],
    ['falcon-omni', 'falcon-uni', YES],
    ['falcon-mini', 'falcon-nano', NO],
    ['falcon 9', 'Falcon-9', YES],
    ['fal-con9', 'falcon-9', YES],
    ['a/falcon', 'b/falcon', NO],
    ['falcon-v2', 'falcon', NO],
    ['falcon-sxm', 'falcon', NO],
  ])('%s and %s differ neither in version nor in variant, or do', (a, b, expected) => {
    expect(compare(sameProduct, a, b)).toEqual(expected)
  })
})

describe('the similarity of two texts', () => {
  it.each([
    ['abc', 'abc', 1],
    ['', '', 1],
    ['', 'abc', 0],
    ['abc', '', 0],
    ['abc', 'xyz', 0],
    ['abcd', 'bd', 2 / 3],
    ['ab', 'ba', 0.5],
    ['axbxc', 'abc', 0.75],
    ['abc', 'axbxc', 0.75],
    ['aab', 'ab', 0.8],
  ])('%s and %s is twice what they have in common in this order, over both lengths', (a, b, expected) => {
    expect(similarity(a, b)).toBeCloseTo(expected, 9)
  })
})
