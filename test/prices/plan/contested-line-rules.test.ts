import { describe, expect, it } from 'vitest'
import { contestedLines } from '../../../src/prices/plan/absences/contested-line-rules.ts'
import { linesLostTogether, lostLineItems, unreadableItems } from '../../../src/prices/plan/absences/lost-line-rules.ts'
import { difference } from '../../../src/prices/plan/difference/difference-rules.ts'
import { lineKey } from '../../../src/prices/row-rules.ts'
import type { KnownLine, Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { held, input, keyed, line, now } from './plan-facts.ts'

const EURO = { currency: 'EUR', unit: 'eur_per_token' }

describe('a new line that differs from a missing one in its currency or unit alone', () => {
  const contested = (known: KnownLine[], seen: Observation[]) => {
    const { fresh, missing } = contestedLines(difference(keyed(known), seen))
    return { fresh: [...fresh.values()], missing: [...missing].map(({ lineId }) => lineId) }
  }
  const dollars = line(input('m1', '1'), { lineId: 'dollars' })
  const euros = input('m1', '1', EURO)

  it('is contested together with the missing one', () => {
    expect(contested([dollars], [euros])).toEqual({ fresh: ['currency'], missing: ['dollars'] })
    expect(contested([dollars], [input('m1', '1', { unit: 'usd_per_character' })])).toEqual({
      fresh: ['unit'],
      missing: ['dollars'],
    })
    const { fresh } = contestedLines(difference(keyed([dollars]), [euros]))
    expect([...fresh.keys()]).toEqual([lineKey({ ...euros, pricingTier: '{}' })])
  })

  it('is contested while it is held, which the missing line stays for', () => {
    const waits = line(euros, { current: undefined, ...held('1') })
    expect(contested([dollars, waits], [euros])).toEqual({ fresh: [], missing: ['dollars'] })
  })

  it('is not contested beside a line that is listed, was never published, or is of another dimension or tier', () => {
    expect(contested([dollars], [input('m1', '1'), euros])).toEqual({ fresh: [], missing: [] })
    expect(contested([{ ...dollars, current: undefined }], [euros])).toEqual({ fresh: [], missing: [] })
    for (const other of [
      observed('m1', 'output_tokens', '1', EURO),
      input('m2', '1', EURO),
      input('m1', '1', { ...EURO, pricingTier: { service: 'batch' } }),
      input('m1', '1', { ...EURO, provider: 'zoo' }),
    ])
      expect(contested([dollars], [other])).toEqual({ fresh: [], missing: [] })
  })

  it('is a changed price, and none of the missing one, where the line has a price already', () => {
    const published = line(euros)
    const changed = { ...euros, price: '2' }
    expect(contested([dollars, published], [changed])).toEqual({ fresh: [], missing: [] })
    expect(contested([dollars, { ...published, ...held('2') }], [changed])).toEqual({ fresh: [], missing: [] })
  })
})

describe('lines of listed resources that are missing', () => {
  const absent = (count: number, more: Partial<Observation> = {}, of = 'm') =>
    Array.from({ length: count }, (_, n) => line(input(`${of}${n}`, '1', more)))
  const INPUT = ['acme', 'input_tokens'].join('\u001f')
  const ZOO_INPUT = ['zoo', 'input_tokens'].join('\u001f')
  const MANY: [string, number][] = [[INPUT, 1_000], [ZOO_INPUT, 1_000]] // biome-ignore format: pairs
  const lost = (lines: KnownLine[], resources: [string, number][], withDimension = MANY) =>
    linesLostTogether(lines, { resources: new Map(resources), withDimension: new Map(withDimension) }).size

  it('are lost together by more than a fifth of the resources of a provider, five at least', () => {
    expect([lost(absent(5), [['acme', 24]]), lost(absent(5), [['acme', 25]])]).toEqual([5, 0])
    expect(lost(absent(4), [['acme', 4]])).toBe(0)
    const twice = [...absent(3), ...absent(3, { pricingTier: { service: 'batch' } })]
    expect(lost(twice, [['acme', 4]])).toBe(0)
    expect(lost([...absent(3), ...absent(3, { provider: 'zoo' })], [['acme', 4], ['zoo', 4]])).toBe(0) // biome-ignore format: pairs
  })

  it('are lost together by more than a fifth of the resources that have the dimension', () => {
    expect(lost(absent(5), [['acme', 100]], [[INPUT, 24]])).toBe(5)
    expect(lost(absent(5), [['acme', 100]], [[INPUT, 25]])).toBe(0)
    const mixed = [...absent(3), ...absent(2, {}, 'n').map((one) => ({ ...one, dimension: 'output_tokens' }))]
    expect(lost(mixed, [['acme', 100]], [[INPUT, 5]])).toBe(0)
  })

  it('are one item for each provider, with the resources and what is missing of them', () => {
    const lines = [
      line(observed('b', 'output_tokens', '1')),
      line(input('b', '1')),
      line(input('a', '1', { pricingTier: { service: 'batch' } })),
      line(input('a', '1')),
    ]
    const item = { kind: 'line_removal', reason: 'lines_missing_everywhere' }
    expect(lostLineItems([...lines, line(input('z', '1', { provider: 'zoo' }))])).toEqual([
      {
        ...item,
        provider: 'acme',
        resources: ['a', 'b'],
        texts: ['input_tokens {"service":"batch"}', 'input_tokens {}', 'output_tokens {}'],
      },
      { ...item, provider: 'zoo', resources: ['z'], texts: ['input_tokens {}'] },
    ])
  })

  it('are one item for each provider where their prices cannot be read, if they are served', () => {
    const unreadable = [
      { line: line(input('b', '1')), text: 'N/A' },
      { line: line(input('a', '1')), text: '?' },
      { line: line(input('c', '1'), { removedAt: now }), text: '?' },
      { line: line(input('d', '1'), { current: undefined }), text: '?' },
      { line: line(input('z', '1', { provider: 'zoo' })), text: '-' },
    ]
    const item = { kind: 'unreadable', reason: 'unreadable_price' }
    expect(unreadableItems(unreadable)).toEqual([
      {
        ...item,
        provider: 'acme',
        resources: ['a', 'b'],
        texts: ['a input_tokens {} = ?', 'b input_tokens {} = N/A'],
      },
      { ...item, provider: 'zoo', resources: ['z'], texts: ['z input_tokens {} = -'] },
    ])
  })
})
