import { describe, expect, it } from 'vitest'
import { DAY } from '../../../src/lib/instant.ts'
import type { Facts, Plan } from '../../../src/prices/plan/schema.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, line, others, plan } from './plan-facts.ts'

const OWN: Partial<Facts> = { speaksFor: (provider) => provider === 'acme' }
const names = (count: number) => Array.from({ length: count }, (_, n) => `m${n}`)
const reasons = ({ hold }: Plan) => [...new Set(hold.flatMap(({ verdict }) => verdict.reasons))]
const published = ({ publish, released }: Plan) => [...publish, ...released].length
const model = (name: string, read: string, write = '0.000004'): Observation[] => [
  input(name, '0.000001'),
  observed(name, 'output_tokens', write),
  observed(name, 'cache_read_tokens', read),
]
const filler = others(40)
const known = (count: number): KnownLine[] =>
  [...names(count).flatMap((name) => model(name, '0.0000001')), ...filler].map((one) => line(one))
const changed = (count: number, read: string, write?: string) => [
  ...names(count).flatMap((name) => model(name, read, write)),
  ...filler,
]

describe('what a provider itself says', () => {
  it.each([
    ['a power of ten', changed(1, '0.00000001'), 'power_of_ten'],
    ['a cache above its input', changed(1, '0.0000012'), 'cache_read_above_input'],
    ['output at less than half of input', changed(1, '0.0000001', '0.0000004'), 'output_below_input'],
  ] as const)('is unusual, where a list would be wrong: %s', (_, seen, asList) => {
    expect(reasons(plan(known(1), [...seen]))).toContain(asList)
    const own = reasons(plan(known(1), [...seen], OWN))
    expect(own).toContain('unusual_at_provider')
    expect(own).not.toContain(asList)
  })

  it('is published once it has stood for a day, in three fetches', () => {
    const waits = (since: number, fetches: number) =>
      known(1).map((one) =>
        one.dimension === 'cache_read_tokens'
          ? { ...one, ...held('0.00000001', { wait: { since: ago(since), fetches } }) }
          : one,
      )
    const seen = changed(1, '0.00000001')
    expect(published(plan(waits(DAY, 2), seen, OWN))).toBe(1)
    expect(published(plan(waits(DAY - 1, 2), seen, OWN))).toBe(0)
    expect(published(plan(waits(DAY, 1), seen, OWN))).toBe(0)
    expect(published(plan(waits(9 * DAY, 9), seen))).toBe(0)
  })

  it('is judged as a list’s where it would mean it of three resources at once', () => {
    expect(reasons(plan(known(2), changed(2, '0.0000012'), OWN))).toContain('unusual_at_provider')
    const ofThree = reasons(plan(known(3), changed(3, '0.0000012'), OWN))
    expect(ofThree).toContain('cache_read_above_input')
    expect(ofThree).not.toContain('unusual_at_provider')
  })

  it('is judged as a list’s where it is free, or where the source does not speak for the provider', () => {
    expect(reasons(plan(known(1), changed(1, '0.0000001', '0'), OWN))).toContain('to_zero')
    expect(reasons(plan(known(1), changed(1, '0.00000001'), { speaksFor: (one) => one === 'other' }))).toContain(
      'power_of_ten',
    )
  })
})
