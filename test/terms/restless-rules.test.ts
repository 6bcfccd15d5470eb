import { describe, expect, it } from 'vitest'
import { type Instant, plus } from '../../src/lib/instant.ts'
import { confirmationsNeeded } from '../../src/terms/ingest/restless-rules.ts'
import type { KnownVersion } from '../../src/terms/schema.ts'

const DAY = 86_400_000
const NOW = '2026-03-01T00:00:00.000Z' as Instant
const version = (daysAgo: number, more: Partial<KnownVersion>): KnownVersion => ({
  versionId: String(daysAgo),
  status: 'expired',
  normalHash: String(daysAgo),
  firstSeenAt: plus(NOW, -daysAgo * DAY),
  reasons: [],
  ...more,
})
const inForce = version(100, { recordedAt: plus(NOW, -99 * DAY) })
const gone = (daysAgo: number) => version(daysAgo, { reasons: ['gone again'] })
const replaced = (daysAgo: number) => version(daysAgo, { reasons: ['replaced before it was confirmed'] })
const needed = (versions: KnownVersion[], ...volatileSince: (Instant | undefined)[]) => {
  const around = { before: '', after: '' }
  const place = { inForce: [], around, aroundLatest: around, texts: [], transient: 3 }
  const places = volatileSince.map((since) => ({ ...place, volatileSince: since }))
  return confirmationsNeeded({ known: [inForce, ...versions], returnsPublished: 0 }, { places }, NOW)
}

describe('how many confirmations a new text needs', () => {
  it.each<[what: string, versions: KnownVersion[], needed: number]>([
    ['one in a quiet document', [], 1],
    ['three after a text that went', [gone(5)], 3],
    ['three after an earlier text came back', [version(5, { recordedAt: plus(NOW, -4 * DAY), returns: true })], 3],
    ['seven after two ways back', [gone(50), gone(5)], 7],
    ['three when the way back is 60 days old', [gone(60)], 3],
    ['one when the way back is two months old', [gone(61)], 1],
    ['one after a change that was no way back', [version(5, { recordedAt: plus(NOW, -4 * DAY) })], 1],
    [
      'three when texts were replaced before the one in force',
      [replaced(9), replaced(8), replaced(7), version(6, { recordedAt: plus(NOW, -5 * DAY), returns: true })],
      3,
    ],
    ['three when three in a row went and none was replaced', [gone(5), version(4, {}), version(3, {})], 3],
    ['one after texts that others replaced', [replaced(5), replaced(4)], 1],
    ['one when three in a row were replaced', [gone(9), gone(8), replaced(5), replaced(4), replaced(3)], 1],
  ])('%s', (_what, versions, count) => {
    expect(needed(versions)).toBe(count)
  })

  it('one when a volatile place explains the ways back', () => {
    expect(needed([gone(9), gone(8)], plus(NOW, -7 * DAY))).toBe(1)
    expect(needed([gone(9), gone(7)], plus(NOW, -7 * DAY))).toBe(1)
    expect(needed([gone(9), gone(6)], plus(NOW, -7 * DAY))).toBe(3)
  })

  it('one when any volatile place explains them; one that is only watched explains none', () => {
    expect(needed([gone(9), gone(8)], plus(NOW, -7 * DAY), plus(NOW, -20 * DAY))).toBe(1)
    expect(needed([gone(9), gone(8)], plus(NOW, -20 * DAY), plus(NOW, -7 * DAY))).toBe(1)
    expect(needed([gone(9), gone(8)], plus(NOW, -7 * DAY), undefined)).toBe(1)
    expect(needed([gone(9)], undefined)).toBe(3)
  })
})
