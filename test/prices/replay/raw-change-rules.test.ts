import { describe, expect, it } from 'vitest'
import { endedBy, listedMs, rawChanges, rawKey, rawLines } from '../../../src/prices/replay/raw-change-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { day, observed } from '../observed.ts'
import { rawChange } from './raw-facts.ts'

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
