import { describe, expect, it } from 'vitest'
import type { SourceState } from '../../src/catalog/sources/source-store.ts'
import { snapshotAtHand } from '../../src/collecting/snapshot-at-hand.ts'
import { collectorFor } from '../../src/collectors/index.ts'
import type { DeclaredSource } from '../../src/collectors/sources-file.ts'
import type { Instant } from '../../src/lib/instant.ts'

describe('a snapshot that did not change', () => {
  const now = '2026-11-21T10:00:00.000Z' as Instant
  const { parserVersion } = collectorFor('litellm')!
  const isRead = (state: Partial<SourceState>) => {
    const known = { snapshotHash: 'a', ingestedHash: 'a', parserVersion, readAgain: false, ...state } as SourceState
    return snapshotAtHand({ format: 'litellm' } as DeclaredSource, known, now).isRead
  }

  it('is read again by a newer parser, or once an announced price begins', () => {
    expect(isRead({})).toBe(true)
    expect(isRead({ parserVersion: parserVersion - 1 })).toBe(false)
    expect(isRead({ readAgain: true })).toBe(false)
    expect(isRead({ nextChangeAt: now })).toBe(false)
    expect(isRead({ nextChangeAt: '2026-11-21T10:00:00.001Z' as Instant })).toBe(true)
  })

  it('is read again after another one was ingested and the process ended before that was recorded', () => {
    expect(isRead({ ingestedHash: 'b' })).toBe(false)
  })
})
