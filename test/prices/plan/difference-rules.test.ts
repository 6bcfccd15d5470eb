import { describe, expect, it } from 'vitest'
import { HOUR } from '../../../src/lib/instant.ts'
import { differsWidely } from '../../../src/prices/plan/difference/content-rules.ts'
import { difference } from '../../../src/prices/plan/difference/difference-rules.ts'
import type { KnownLine, Observation, UnreadablePrice } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'
import { ago, held, input, keyed, line, now, others } from './plan-facts.ts'

describe('the difference of a snapshot', () => {
  const of = (known: KnownLine[], seen: Observation[], unreadable: UnreadablePrice[] = []) =>
    difference(keyed(known), seen, unreadable)

  it('is what is new, changed, revised, confirmed, waiting or missing; the rest is counted', () => {
    const known = [
      line(input('same', '1')),
      line(input('cheaper', '2')),
      line(input('described', '1')),
      line(input('back', '1'), { missingSince: ago(HOUR) }),
      line(input('relisted', '1'), { removedAt: ago(HOUR) }),
      line(input('held', '1'), held('9')),
      line(input('decided', '1'), { decidedPrice: '7' }),
      line(input('withdrawn', '1'), held('9')),
      line(input('gone', '1')),
      line(input('long gone', '1'), { removedAt: ago(HOUR) }),
      line(input('unpriced', '1'), { current: undefined }),
    ]
    const seen = [
      input('same', '1'),
      input('same', '3'),
      input('cheaper', '1'),
      input('described', '1', { category: 'chat' }),
      input('back', '1'),
      input('relisted', '1'),
      input('held', '9'),
      input('decided', '7'),
      input('withdrawn', '1'),
      input('unpriced', '4'),
      input('fresh', '5'),
    ]
    const found = of(known, seen)
    const names = (lines: { resource: string }[]) => lines.map(({ resource }) => resource)
    expect(found.proposals.map(({ line: { resource }, kind, money }) => [resource, kind, money.price])).toEqual([
      ['cheaper', 'changed', '1'],
      ['described', 'revised', '1'],
      ['unpriced', 'new', '4'],
      ['fresh', 'new', '5'],
    ])
    expect(names(found.confirmed)).toEqual(['back', 'relisted', 'withdrawn'])
    expect(names(found.waiting)).toEqual(['held', 'decided'])
    expect(names(found.missing)).toEqual(['gone'])
    expect([found.unchanged, found.duplicates]).toEqual([1, 1])
    expect(of([line(input('decided', '1'), { decidedPrice: '7' })], [input('decided', '1')]).confirmed).toHaveLength(1)
  })

  it('lets no price have an effect that people refused since the current one, whichever they decided about last', () => {
    const known = line(input('m', '1'), { decidedPrice: '2', refusedPrices: ['3', '2'] })
    const kinds = (price: string) => {
      const { proposals, confirmed, waiting } = of([known], [input('m', price)])
      return [proposals.length, confirmed.length, waiting.length]
    }
    expect(['1', '2', '3', '4'].map(kinds)).toEqual([
      [0, 1, 0],
      [0, 0, 1],
      [0, 0, 1],
      [1, 0, 0],
    ])
  })

  it('has no absence where the snapshot lists something that is not a price', () => {
    const known = [line(input('m1', '1')), line(observed('m1', 'output_tokens', '2')), line(input('m2', '1'))]
    const text = { provider: 'acme', resource: 'm1', locator: '/', text: 'N/A' }
    expect(of(known, [], [text]).unreadable.map(({ line: { dimension }, text: read }) => [dimension, read])).toEqual([
      ['input_tokens', 'N/A'],
      ['output_tokens', 'N/A'],
    ])
    const one = { ...text, dimension: 'output_tokens' as const, unit: 'usd_per_token', currency: 'USD' }
    const found = of(known, [input('m2', '1'), input('m1', '1')], [one])
    expect(found.unreadable.map(({ line: { dimension } }) => dimension)).toEqual(['output_tokens'])
    expect(found.missing).toEqual([])
    // A resource that is listed with prices is missing those that it does not list.
    expect(of(known, [input('m1', '1')], [text]).missing.map(({ dimension }) => dimension)).toEqual([
      'output_tokens',
      'input_tokens',
    ])
  })

  it('is wide from five resources on', () => {
    const wide = (count: number, known: KnownLine[] = []) => differsWidely(of(known, others(count)))
    expect([wide(4), wide(5)]).toEqual([false, true])
    const missing = others(5).map((seen) => line(seen))
    expect(differsWidely(of(missing, []))).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, missingSince: now })),
          [],
        ),
      ),
    ).toBe(false)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, current: undefined })),
          [],
        ),
      ),
    ).toBe(false)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, removedAt: now })),
          others(5),
        ),
      ),
    ).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, missingSince: now })),
          others(5),
        ),
      ),
    ).toBe(true)
    expect(
      differsWidely(
        of(
          missing.map((one) => ({ ...one, ...held('9') })),
          others(5),
        ),
      ),
    ).toBe(false)
  })
})
