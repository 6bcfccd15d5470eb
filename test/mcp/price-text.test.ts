import { describe, expect, it } from 'vitest'
import type { Instant } from '../../src/lib/instant.ts'
import { pricesIn, pricesText } from '../../src/mcp/period-prices-rules.ts'
import { confirmationText, priceText, tierText } from '../../src/mcp/price-rules.ts'
import { priceRow as row } from './price-row.ts'

const READ = '2026-11-24T10:15:00.000Z'
const own = { source: 'acme-pricing', rank: 'provider' }
const list = { source: 'genai-prices', rank: 'community' }
const other = { source: 'litellm', rank: 'community' }

describe('who confirmed a price, in words', () => {
  it.each([
    ['nothing is known', {}, ''],
    ['the row is superseded', { confirmedAt: READ }, ''],
    [
      'its provider says so',
      { confirmedAt: READ, confirmedBy: { agree: [list, own], disagree: [] } },
      `confirmed by the provider, last read ${READ}`,
    ],
    [
      'two lists say so',
      { confirmedAt: READ, confirmedBy: { agree: [list, other], disagree: [] } },
      `confirmed by genai-prices, litellm, last read ${READ}`,
    ],
    [
      'one list says so, at a time that is not known',
      { confirmedBy: { agree: [list], disagree: [] } },
      'read in a list, not confirmed',
    ],
    [
      'its source says otherwise now',
      { confirmedAt: READ, confirmedBy: { agree: [], disagree: [{ ...list, price: '0.2' }, other] } },
      `no longer confirmed, last read ${READ}, not so in genai-prices: 0.2, litellm`,
    ],
    [
      'others contradict it',
      { contradictedSince: READ, confirmedBy: { agree: [list], disagree: [{ ...own, price: '0.2' }] } },
      `contradicted since ${READ} (acme-pricing: 0.2)`,
    ],
    [
      'it is contradicted, by sources that are not read any more',
      { contradictedSince: READ },
      `contradicted since ${READ} ()`,
    ],
  ])('where %s', (_, confirmed, text) => {
    expect(confirmationText(confirmed)).toBe(text)
  })
})

it('a price is written per million tokens where it is of tokens, and as it is where not', () => {
  expect(priceText(row({ price: '0.00000125' }))).toBe('1.25 USD per million tokens (exactly 0.00000125 usd_per_token)')
  expect(priceText(row({ unit: 'usd_per_image', price: '0.04' }))).toBe('0.04 USD (usd_per_image)')
  expect(priceText(row({ unit: 'usd_per_token_hour', price: '3' }))).toBe('3 USD (usd_per_token_hour)')
})

it('a tier is written as its conditions', () => {
  expect(tierText({ context: '>272000', region: 'eu' })).toBe('context >272000, region eu')
  expect(tierText({})).toBe('')
})

describe('the prices of a period, in words', () => {
  it('stand under a heading for each seller, name and source', () => {
    const rows = pricesIn([
      row({ dimension: 'output_tokens', price: '0.000002' }),
      row(),
      row({ dimension: 'input_tokens', pricingTier: { context: '>200000' }, price: '0.000003' }),
      row({ resource: 'old', renamedTo: 'new' }),
    ])
    expect(pricesText(rows)).toBe(
      [
        'acme m, source s:',
        '  input_tokens: 1 USD per million tokens (exactly 0.000001 usd_per_token), recorded 2026-01-01T00:00:00.000Z',
        '  output_tokens: 2 USD per million tokens (exactly 0.000002 usd_per_token), recorded 2026-01-01T00:00:00.000Z',
        '  input_tokens [context >200000]: 3 USD per million tokens (exactly 0.000003 usd_per_token), recorded 2026-01-01T00:00:00.000Z',
        'acme old (now new), source s:',
        '  input_tokens: 1 USD per million tokens (exactly 0.000001 usd_per_token), recorded 2026-01-01T00:00:00.000Z',
      ].join('\n'),
    )
    expect(pricesText([])).toBe('')
  })

  it('say when a price was replaced, who confirmed it, and what is served no longer', () => {
    const first = row({ price: '0.000001' })
    const next = row({
      price: '0.000002',
      recordedAt: '2026-03-10T00:00:00.000Z',
      confirmedAt: READ as never,
      confirmedBy: { agree: [own], disagree: [] } as never,
    })
    const gone = row({ resource: 'z' })
    const rows = pricesIn([first, next], { start: [first, gone], from: '2026-03-01T00:00:00.000Z' as Instant })
    expect(pricesText(rows).split('\n')).toEqual([
      'acme m, source s:',
      `  input_tokens: 1 USD per million tokens (exactly 0.000001 usd_per_token), recorded ${first.recordedAt}, replaced ${next.recordedAt}`,
      `  input_tokens: 2 USD per million tokens (exactly 0.000002 usd_per_token), recorded ${next.recordedAt}, confirmed by the provider, last read ${READ}`,
      'acme z, source s:',
      `  input_tokens: 1 USD per million tokens (exactly 0.000001 usd_per_token), recorded ${first.recordedAt}, no longer served at the end of the period`,
    ])
  })

  it('that ended as the period began are not of it', () => {
    const from = '2026-03-10T00:00:00.000Z' as Instant
    const rows = pricesIn([row(), row({ price: '0.000002', recordedAt: from })], { from })
    expect(rows).toMatchObject([{ price: '0.000002' }])
  })

  it('stand in the order of seller, name, source, currency, tier and dimension, the oldest first', () => {
    const keys = [
      { provider: 'b' },
      { provider: 'a', resource: 'n' },
      { provider: 'a', source: 't' },
      { provider: 'a', currency: 'EUR' },
      { provider: 'a', pricingTier: { region: 'eu' } },
      { provider: 'a', dimension: 'output_tokens' },
      { provider: 'a' },
    ]
    const sorted = pricesIn(keys.map((fields) => row(fields)))
    expect(sorted.map(({ contentHash }) => JSON.parse(contentHash) as object)).toEqual([
      keys[3], keys[6], keys[5], keys[4], keys[2], keys[1], keys[0],
    ]) // biome-ignore format: an order
  })
})
