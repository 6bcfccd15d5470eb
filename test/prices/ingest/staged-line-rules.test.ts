import { describe, expect, it } from 'vitest'
import {
  STAGED_COLUMNS,
  stagedPrice,
  stagedText,
  stagedUnreadable,
} from '../../../src/prices/staging/staged-line-rules.ts'
import { observed } from '../observed.ts'

const NULL = '\\N'

/** The fields of a line of COPY text by their column. */
function columnsOf(line: string) {
  expect(line).toMatch(/^[^\n]*\n$/)
  const fields = line.slice(0, -1).split('\t')
  expect(fields).toHaveLength(STAGED_COLUMNS.length)
  return Object.fromEntries(STAGED_COLUMNS.map((column, n) => [column, fields[n]]))
}

describe('a staged price', () => {
  it('has a field for each column, and NULL where the source says nothing', () => {
    expect(stagedPrice(observed('m1', 'input_tokens', '0.000002', { locator: '/models/0' }))).toBe(
      `${NULL}\tacme\tm1\tinput_tokens\tusd_per_token\tUSD\t{}\t0.000002\t${NULL}\t${NULL}\t${NULL}\t${NULL}\t${NULL}\t/models/0\n`,
    )
  })

  it('keeps its rank, its conditions and its details, each in its column', () => {
    const details = {
      pricingTier: { service: 'batch', context: '>200000' },
      effectiveFrom: '2026-01-01',
      canonicalResource: 'maker/m1',
      category: 'chat',
      billingCondition: 'prepaid',
    }
    expect(columnsOf(stagedPrice(observed('m1', 'input_tokens', '3', details), '2026-01-01 b'))).toEqual({
      rank: '2026-01-01 b',
      provider: 'acme',
      resource: 'm1',
      dimension: 'input_tokens',
      unit: 'usd_per_token',
      currency: 'USD',
      pricing_tier: '{"context":">200000","service":"batch"}',
      price: '3',
      unreadable: NULL,
      effective_from: '2026-01-01',
      canonical_resource: 'maker/m1',
      category: 'chat',
      billing_condition: 'prepaid',
      locator: '/',
    })
  })

  it('stays in its field whatever characters a name has', () => {
    const { resource, category } = columnsOf(
      stagedPrice(observed('a\\N\tb', 'input_tokens', '1', { category: 'line 1\r\nline 2' })),
    )
    expect([resource, category]).toEqual(['a\\\\N\\tb', 'line 1\\r\\nline 2'])
  })

  it('that cannot be read is its text in place of a price', () => {
    const listed = { provider: 'acme', resource: 'm1', locator: '/0', text: 'N/A\t\u0000' }
    const none = { rank: NULL, price: NULL, effective_from: NULL, canonical_resource: NULL, category: NULL }
    const whole = { ...none, billing_condition: NULL, provider: 'acme', resource: 'm1', locator: '/0' }
    const unnamed = { dimension: NULL, unit: NULL, currency: NULL, pricing_tier: NULL }
    expect(columnsOf(stagedUnreadable(listed))).toEqual({ ...whole, ...unnamed, unreadable: 'N/A\\t\ufffd' })
    const line = { dimension: 'input_tokens' as const, unit: 'usd_per_token', currency: 'USD' }
    expect(columnsOf(stagedUnreadable({ ...listed, ...line, text: '1,5', pricingTier: { ttl: '1h' } }))).toEqual({
      ...whole,
      ...line,
      pricing_tier: '{"ttl":"1h"}',
      unreadable: '1,5',
    })
  })
})

describe('the text that a snapshot is staged with', () => {
  const chunks = (...args: Parameters<typeof stagedText>) => [...stagedText(...args)]
  const priced = (characters: number) => {
    const [line] = [stagedPrice(observed('m', 'input_tokens', '1', { locator: '' }))]
    return observed('m', 'input_tokens', '1', { locator: 'x'.repeat(characters - line.length) })
  }

  it('has the prices, then what cannot be read, in their order', () => {
    const [first, second] = [observed('m1', 'input_tokens', '1'), observed('m2', 'input_tokens', '2')]
    const unreadable = { provider: 'acme', resource: 'm3', locator: '/', text: '?' }
    expect(chunks([first, second], [unreadable])).toEqual([
      stagedPrice(first) + stagedPrice(second) + stagedUnreadable(unreadable),
    ])
    expect(chunks([], [])).toEqual([])
  })

  it('comes in chunks of 65,536 characters or little more, whole lines each', () => {
    const lengths = (...characters: number[]) => chunks(characters.map(priced), []).map(({ length }) => length)
    expect(lengths(65_535, 100)).toEqual([65_635])
    expect(lengths(65_536, 100)).toEqual([65_536, 100])
    expect(lengths(40_000, 40_000, 65_536)).toEqual([80_000, 65_536])
  })
})
