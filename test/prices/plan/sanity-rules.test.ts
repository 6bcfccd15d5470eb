import { describe, expect, it } from 'vitest'
import {
  asUnreadable,
  usableObservations,
  whyUnusable,
} from '../../../src/prices/plan/difference/usable-observation-rules.ts'
import type { Observation } from '../../../src/prices/schema.ts'
import { observed } from '../observed.ts'

const input = (price: string, more: Partial<Observation> = {}) => observed('m1', 'input_tokens', price, more)

describe('an observation', () => {
  it.each([
    ['no decimal', { price: '1,5' }, 'not_a_price'],
    ['a negative price', { price: '-1' }, 'not_a_price'],
    ['a name without a character', { resource: '' }, 'unreadable_name'],
    ['a name of 301 characters', { resource: 'x'.repeat(301) }, 'unreadable_name'],
    ['a name of 300 characters', { resource: 'x'.repeat(300) }, undefined],
    ['a canonical name with a control character', { canonicalResource: 'maker/m\u0007' }, 'unreadable_name'],
    ['a name that turns the direction of text', { resource: 'a\u202egnp' }, 'unreadable_name'],
    ['a canonical name that turns it', { canonicalResource: 'maker/\u2066m' }, 'unreadable_name'],
    ['a tier that turns it', { pricingTier: { region: 'eu\u2067' } }, 'unreadable_text'],
    ['a name that is read from the right', { resource: 'نموذج' }, undefined],
    ['a canonical name', { canonicalResource: 'maker/m' }, undefined],
    ['a date with NUL', { effectiveFrom: '2026\u0000' }, 'unreadable_text'],
    ['a category with half a character', { category: '\ud83d' }, 'unreadable_text'],
    ['a condition with NUL', { billingCondition: '\u0000' }, 'unreadable_text'],
    ['a location with NUL', { locator: '/\u0000' }, 'unreadable_text'],
    ['a tier with NUL', { pricingTier: { region: 'eu', service: 'a\u0000' } }, 'unreadable_text'],
    ['a condition of two lines', { billingCondition: 'a\nb', category: '' }, undefined],
  ])('with %s is left out or not', (_, more, problem) => {
    expect(whyUnusable(input('1', more))).toBe(problem)
  })

  it('that cannot be used is listed all the same, unless its name cannot be read', () => {
    const { usable, unreadable, suppressed } = usableObservations([
      input('N/A'),
      input('1', { resource: 'bad\u0000' }),
      input('1', { resource: 'bad\u202e' }),
      input('1', { canonicalResource: '' }),
      input('2'),
    ])
    const line = input('')
    const { price: _, ...named } = line
    expect(usable).toEqual([input('2')])
    expect(suppressed).toEqual({ not_a_price: 1, unreadable_name: 3 })
    expect(unreadable).toEqual([
      { ...named, text: 'N/A' },
      { ...named, canonicalResource: '', text: '1' },
    ])
    expect(usableObservations([input('2')])).toEqual({ usable: [input('2')], unreadable: [], suppressed: {} })
  })

  it('that cannot be read is kept with the text in place of its price, shortened and printable', () => {
    const { price: _, ...named } = input('')
    expect(asUnreadable(input(`a\u0000${'b'.repeat(400)}`))).toEqual({
      ...named,
      text: `a\ufffd${'b'.repeat(298)}`,
    })
  })
})

describe('a price of zero', () => {
  const zero = (dimension: Observation['dimension']) => observed('m1', dimension, '0')
  const leftOut = (...observations: Observation[]) => usableObservations(observations).suppressed

  it('of a cache means that it is unknown where the input has a price', () => {
    expect(leftOut(zero('cache_read_tokens'), input('1'))).toEqual({ zero_means_unknown: 1 })
    expect(leftOut(zero('cache_write_tokens'), input('1'))).toEqual({ zero_means_unknown: 1 })
    expect(leftOut(zero('cache_read_tokens'), input('0'))).toEqual({})
    expect(leftOut(zero('cache_read_tokens'), observed('m1', 'output_tokens', '1'))).toEqual({})
    expect(leftOut(zero('cache_read_tokens'), observed('m2', 'input_tokens', '1'))).toEqual({})
  })

  it('of anything else is a price, and so is what a cache costs', () => {
    expect(leftOut(zero('output_tokens'), input('1'))).toEqual({})
    expect(leftOut(observed('m1', 'cache_read_tokens', '0.1'), input('1'))).toEqual({})
  })
})
