import { describe, expect, it } from 'vitest'
import { lineOf } from '../../src/cli/webhooks/receiver-line.ts'

describe('a received event as a line', () => {
  const said = (event: object) =>
    lineOf({
      ...{ at: '2026-11-22T10:15:00.000Z', outcome: 'accepted', id: 'evt_1', type: 'price.announced.acme', bytes: 7 },
      event: { resource: 'm', dimension: 'input_tokens', pricingTier: {}, currency: 'USD', ...event },
    })

  it('says of an announced price what it will be, and from when, or that it will not', () => {
    const announced = { price: '0.0000015', effectiveFrom: '2027-01-01' }
    const current = { price: '0.000001' }
    const line = (what: string) => `10:15:00 ✓ price.announced.acme  m input_tokens  ${what}  evt_1 (7 bytes)`
    expect(said({ action: 'announced', current, announced })).toBe(line('will be 0.0000015 USD from 2027-01-01'))
    expect(said({ action: 'changed', current, announced, replaces: current })).toBe(
      line('will now be 0.0000015 USD from 2027-01-01'),
    )
    expect(said({ action: 'withdrawn', current, replaces: announced })).toBe(
      line('will not be 0.0000015 USD from 2027-01-01'),
    )
  })
})
