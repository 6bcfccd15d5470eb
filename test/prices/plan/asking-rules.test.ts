import { describe, expect, it } from 'vitest'
import { resourceKey } from '../../../src/catalog/resource-rules.ts'
import type { AbsenceToReview } from '../../../src/prices/plan/schema.ts'
import { asksAboutPrices, reasonsToAsk, withAsking } from '../../../src/prices/plan/sets/asking-rules.ts'

describe('a held price asks a person', () => {
  const first = (...reasons: string[]) => ({ reasons, isChange: false })
  const change = (...reasons: string[]) => ({ reasons, isChange: true })
  const asks = [false, true].map(
    (isBehind) =>
      (...held: ReturnType<typeof first>[]) =>
        asksAboutPrices(held, { isBehind }),
  )
  const [asksFirst, asksBehind] = asks as [(typeof asks)[0], (typeof asks)[0]]

  it('when time does not end one of its doubts', () => {
    expect(asksFirst(change('large_change'), change('flips_back', 'with_its_set'))).toBe(false)
    expect(asksFirst(change('power_of_ten'), change('with_its_set'))).toBe(true)
    expect(asksFirst(first('implausible_price'))).toBe(true)
  })

  it('of a list behind others only where it doubts another price of what is served', () => {
    expect(asksBehind(first('implausible_price'))).toBe(false)
    expect(asksBehind(first('implausible_price'), change('with_its_set'))).toBe(false)
    expect(asksBehind(change('power_of_ten'), first('with_its_set'))).toBe(true)
  })

  it('when it is judged again for such a doubt, but of a list behind others', () => {
    const listedElsewhere = new Set<string>()
    expect(reasonsToAsk({ isBehind: true, listedElsewhere })).toEqual([])
    const reasons = reasonsToAsk({ isBehind: false, listedElsewhere })
    expect([reasons.includes('power_of_ten'), reasons.includes('large_change')]).toEqual([true, false])
  })
})

describe('an absence asks a person', () => {
  const absence = (kind: AbsenceToReview['kind'], reason: AbsenceToReview['reason']): AbsenceToReview => ({
    provider: 'acme', kind, reason, resources: ['m'],
  }) // biome-ignore format: one thing after another
  const asks = (item: AbsenceToReview, isBehind = false, listed: string[] = []) =>
    withAsking([item], { isBehind, listedElsewhere: new Set(listed) }).map((one) => one.asks)[0]

  it('about a whole provider, whichever list lost it', () => {
    const whole = absence('removal', 'whole_provider_missing')
    expect([asks(whole), asks(whole, true)]).toEqual([true, true])
  })

  it('about many that were removed together where another source still shows one of them: time does not end that', () => {
    const many = absence('removal', 'mass_disappearance')
    expect([asks(many), asks(many, false, [resourceKey({ provider: 'acme', resource: 'm' })])]).toEqual([false, true])
  })

  it('about lines that many lost together, whichever list lost them, and never about a name: time ends that', () => {
    const rename = absence('rename', 'possible_rename')
    const lines = absence('line_removal', 'lines_missing_everywhere')
    expect([asks(rename), asks(rename, true), asks(lines), asks(lines, true)]).toEqual([false, false, true, true])
  })
})
