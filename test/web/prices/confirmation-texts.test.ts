import { describe, expect, it } from 'vitest'
import { confirmationTexts } from '../../../src/web/pages/prices/confirmation-texts.ts'

const page = { source: 'acme-pricing', rank: 'provider' as const }
const list = { source: 'genai-prices', rank: 'community' as const }
const index = { source: 'ai-price-index', rank: 'verified' as const }

describe('what a card says of the confirmation of its price', () => {
  it.each([
    ['Confirmed by the provider', { agree: [page, list], disagree: [] }],
    ['Same price in 2 sources, read', { agree: [list, index], disagree: [] }],
    ['Verified at the provider, read', { agree: [index], disagree: [] }],
    ['Read in a list, not confirmed,', { agree: [list], disagree: [] }],
    ['No longer confirmed, last read', { agree: [], disagree: [list] }],
  ])('is “%s”', (said, confirmedBy) => {
    expect(confirmationTexts({ confirmedBy }, 6).said).toBe(said)
  })

  it('never calls a contradicted price confirmed', () => {
    const contradictedSince = '2026-01-01T00:00:00.000Z'
    expect(confirmationTexts({ contradictedSince, confirmedBy: { agree: [page], disagree: [] } }, 6).said).toBe(
      'Contradicted',
    )
  })

  it('names both sides', () => {
    const confirmedBy = {
      agree: [page, list],
      disagree: [
        { ...index, price: '0.0000025' },
        { source: 'litellm', rank: 'community' as const },
      ],
    }
    expect(confirmationTexts({ confirmedBy }, 6).sources).toBe(
      'Same price in acme-pricing, genai-prices. ai-price-index has 2.50, litellm does not list it.',
    )
  })
})
