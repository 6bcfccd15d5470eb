import { describe, expect, it } from 'vitest'
import type { Instant } from '../../../src/lib/instant.ts'
import { formerVersions, isKnownToSubscribers } from '../../../src/terms/ingest/earlier-texts-rules.ts'
import type { DocumentState, KnownVersion } from '../../../src/terms/schema.ts'

const at = (day: number) => `2026-01-${String(day).padStart(2, '0')}T00:00:00.000Z` as Instant
const version = (day: number, normalHash: string, more: Partial<KnownVersion> = {}): KnownVersion => ({
  versionId: String(day),
  status: 'published',
  normalHash,
  firstSeenAt: at(day),
  recordedAt: at(day),
  reasons: [],
  ...more,
})
const state = (...known: KnownVersion[]): DocumentState => ({ known, current: known.at(-1), returnsPublished: 0 })

describe('the texts that were in force before', () => {
  const idsOf = (known: DocumentState) => formerVersions(known).map(({ versionId }) => versionId)

  it('are the newest first, each once, without the one in force', () => {
    const known = state(version(1, 'a'), version(2, 'b'), version(3, 'a'), version(4, 'c'), version(5, 'c'))
    expect(idsOf(known)).toEqual(['3', '2'])
  })

  it('are five at most', () => {
    expect(idsOf(state(...'abcdefg'.split('').map((hash, i) => version(i + 1, hash))))).toEqual([
      '6',
      '5',
      '4',
      '3',
      '2',
    ])
  })

  it('are none that expired, or that someone rejected', () => {
    const expired = version(1, 'a', { status: 'expired', recordedAt: undefined })
    expect(idsOf(state(expired, version(2, 'b', { status: 'rejected' }), version(3, 'c')))).toEqual([])
    expect(formerVersions({ known: [version(1, 'a')], returnsPublished: 0 })).toHaveLength(1)
  })
})

describe('what subscribers know', () => {
  const current = version(2, 'b', { announced: true })
  const silent = version(3, 'c')
  const known = state(version(1, 'a', { announced: true }), current, silent)

  it('is the text of their last event, and what came in force without one since', () => {
    expect([current, silent].map((one) => isKnownToSubscribers(one, known))).toEqual([true, true])
  })

  it('is not text of an event before, and none that was never in force', () => {
    expect(isKnownToSubscribers(known.known[0]!, known)).toBe(false)
    expect(isKnownToSubscribers(version(4, 'd', { recordedAt: undefined }), known)).toBe(false)
  })
})
