import { describe, expect, it } from 'vitest'
import {
  endedBy,
  listedMs,
  type RawChange,
  rawChanges,
  rawKey,
  rawLines,
  wrongSets,
} from '../../src/prices/replay/raw-change-rules.ts'
import type { Observation } from '../../src/prices/schema.ts'
import { rawChange } from './raw-facts.ts'
import { day, observed } from './support.ts'

const input = (resource: string, price: string, more: Partial<Observation> = {}) =>
  observed(resource, 'input_tokens', price, more)
const changes = (before: Observation[], after: Observation[]) => rawChanges(rawLines(before), rawLines(after), day(1))

describe('the key of a line', () => {
  it('tells lines apart, whatever the order of their conditions', () => {
    const key = (more: Partial<Observation> = {}) => rawKey(input('m1', '1', more))
    expect(key({ pricingTier: { ttl: '1h', service: 'batch' } })).toBe(
      '["acme","m1","input_tokens","usd_per_token","USD",[["service","batch"],["ttl","1h"]]]',
    )
    expect(key({ pricingTier: { service: 'batch', ttl: '1h' } })).toBe(
      key({ pricingTier: { ttl: '1h', service: 'batch' } }),
    )
  })
})

describe('the changes between two snapshots', () => {
  it('are the lines of both whose price differs, each with its resource and its instant', () => {
    const output = (price: string) => observed('m1', 'output_tokens', price)
    const found = changes(
      [input('m1', '1'), output('4'), input('m2', '1'), input('gone', '1')],
      [input('m1', '2'), output('5'), input('m2', '3'), input('new', '1'), input('m1', '9')],
    )
    expect(found[0]).toEqual({
      key: rawKey(input('m1', '2')),
      set: `["acme","m1"] ${day(1)}`,
      at: day(1),
      before: '1',
      after: '2',
      kind: 'ordinary',
      sellers: [],
    })
    expect(found.map(({ before, after }) => [before, after])).toEqual([['1', '2'], ['4', '5'], ['1', '3']]) // biome-ignore format: pairs
    expect([found[1]?.set === found[0]?.set, found[2]?.set === found[0]?.set]).toEqual([true, false])
  })

  it.each([
    ['2', '0', 'to_zero'],
    ['0', '2', 'from_zero'],
    ['2', '20', 'unit_flip'],
    ['2000', '2', 'unit_flip'],
    ['1', '10.19', 'unit_flip'],
    ['1', '9.81', 'unit_flip'],
    ['1', '10.3', 'ordinary'],
    ['1', '9.7', 'ordinary'],
    ['1', '1.01', 'ordinary'],
  ] as const)('from %s to %s are of the kind %s', (before, after, kind) => {
    expect(changes([input('m', before)], [input('m', after)]).map((one) => one.kind)).toEqual([kind])
  })

  it('know what other sellers charge in the same snapshot for the same line of a model of the same name', () => {
    const sold = (provider: string, resource: string, price: string, more: Partial<Observation> = {}) =>
      input(resource, price, { provider, ...more })
    const after = [
      input('maker/Falcon', '2'),
      sold('a', 'falcon', '3'),
      sold('b', 'lab/team/FALCON', '0'),
      sold('c', 'falcon-2', '5'),
      sold('d', 'falcon', '6', { pricingTier: { service: 'batch' } }),
      input('falcon', '7'),
    ]
    expect(changes([input('maker/Falcon', '1')], after).map(({ sellers }) => sellers)).toEqual([[3, 0]])
  })
})

describe('a change', () => {
  it('goes on until its line has another price or is gone', () => {
    const key = rawKey(input('m', '2'))
    const of = (price?: string) => {
      const change = rawChange({ key, after: '2' })
      const open = endedBy([change], rawLines(price === undefined ? [] : [input('m', price)]), day(3))
      return [open.length, change.until, change.next]
    }
    expect(of('2.0')).toEqual([1, undefined, undefined])
    expect(of('3')).toEqual([0, day(3), '3'])
    expect(of()).toEqual([0, day(3), undefined])
  })

  it('is listed until then, or without end', () => {
    expect(listedMs(rawChange({ until: day(3) }))).toBe(2 * 86_400_000)
    expect(listedMs(rawChange())).toBe(Number.POSITIVE_INFINITY)
  })
})

describe('a list', () => {
  const wrong = (...all: Partial<RawChange>[]) => [
    ...wrongSets(all.map((more) => rawChange({ until: day(9), ...more }))),
  ]
  const isWrong = (before: string, after: string, next: string | undefined, sellers: number[] = []) =>
    wrong({ before, after, next, sellers }).length === 1

  it.each([
    ['1', '20', '4', true],
    ['1', '20', '4.1', false],
    ['1', '10', '1', false],
    ['20', '1', '5', true],
    ['20', '1', '4.9', false],
    ['10', '1', '9', false],
    ['0', '20', '1', false],
    ['20', '0', '20', false],
    ['1', '20', '0', false],
    ['1', '20', undefined, false],
  ])('was wrong that moved a price from %s to %s and then to %s: %s', (before, after, next, is) => {
    expect(isWrong(before, after, next)).toBe(is)
  })

  it.each([
    ['five times of the only seller, then twice', '5', '2', [1], true],
    ['a fifth of the only seller, then half', '0.2', '0.5', [1], true],
    ['less than five times', '4.9', '2', [1], false],
    ['still more than twice', '5', '2.1', [1], false],
    ['near one of two sellers', '5', '2', [1, 2], false],
    ['far from two sellers, then near one of them', '25', '8', [1, 4], true],
    ['far from all that charge anything', '5', '2', [0, 1], true],
    ['beside sellers that charge nothing', '5', '2', [0], false],
    ['never corrected', '5', undefined, [1], false],
  ])('was wrong, or was not, whose price was %s', (_, after, next, sellers, is) => {
    expect(isWrong('3', after, next, sellers)).toBe(is)
  })

  it('was wrong about a set until it corrected itself', () => {
    const slip = { before: '1', after: '20', next: '1', set: 's' }
    expect(wrong(slip, { set: 'other' }, { set: 's', key: '["acme","m2"]' })).toEqual([['s', day(9)]])
  })

  it('was wrong about the same slip under another name of the provider, in the same snapshot', () => {
    const key = (provider: string, resource: string, dimension = 'input') =>
      JSON.stringify([provider, resource, dimension])
    const slip = { key: key('p', 'm1'), before: '1', after: '20', next: '1', set: 'first' }
    const same = { ...slip, key: key('p', 'm2'), next: undefined, set: 'second' }
    expect(wrong(slip, same)).toEqual([['first', day(9)], ['second', day(9)]]) // biome-ignore format: pairs
    for (const other of [
      { key: key('q', 'm2') },
      { key: key('p', 'm2', 'output') },
      { at: day(2) },
      { before: '2' },
      { after: '21' },
    ])
      expect(wrong(slip, { ...same, ...other })).toEqual([['first', day(9)]])
  })
})
