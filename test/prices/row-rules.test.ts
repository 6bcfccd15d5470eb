import { createHash } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { contentHash, identityOf, keyWithinResource, lineKey, moneyOf, tierText } from '../../src/prices/row-rules.ts'
import type { LineIdentity } from '../../src/prices/schema.ts'
import { at, earlier, identity } from './holds/held-lines.ts'
import { observed } from './observed.ts'

describe('a price line', () => {
  it('is identified by provider, resource, dimension, unit, currency and tier', () => {
    const changed = (Object.keys(identity) as (keyof LineIdentity)[]).map((part) => ({ ...identity, [part]: 'other' }))
    expect(changed).toHaveLength(6)
    expect(new Set([identity, ...changed].map(lineKey)).size).toBe(7)
    expect(new Set([identity, ...changed].map(keyWithinResource)).size).toBe(5)
    expect(identityOf(observed('m1', 'input_tokens', '3', { category: 'chat' }))).toEqual(identity)
  })

  it('has its tier as canonical JSON, whatever the order of its keys', () => {
    expect(tierText({})).toBe('{}')
    expect(tierText({ service: 'batch', context: '>200000' })).toBe('{"context":">200000","service":"batch"}')
    expect(tierText({ context: '>200000', service: 'batch' })).toBe('{"context":">200000","service":"batch"}')
  })
})

describe('a row', () => {
  const money = {
    price: '3',
    effectiveFrom: '2026-01-01',
    canonicalResource: 'a/b',
    category: 'chat',
    billingCondition: 'x',
  }

  it('has the money of an observation and nothing else of it', () => {
    expect(moneyOf(observed('m1', 'input_tokens', '3', money))).toEqual(money)
  })

  it('is identified by the SHA-256 of the canonical JSON of all its facts', () => {
    const text =
      '{"billingCondition":"x","canonicalResource":"a/b","category":"chat","currency":"USD","dimension":"input_tokens",' +
      '"effectiveFrom":"2026-01-01","price":"3","pricingTier":"{}","provider":"acme","recordedAt":"2026-11-22T10:00:00.000Z",' +
      '"resource":"m1","source":"openrouter","unit":"usd_per_token"}'
    expect(contentHash('openrouter', identity, money, at)).toBe(createHash('sha256').update(text).digest('hex'))
    expect(contentHash('openrouter', identity, money, earlier)).not.toBe(contentHash('openrouter', identity, money, at))
  })
})
