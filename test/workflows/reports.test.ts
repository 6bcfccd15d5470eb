import { describe, expect, it } from 'vitest'
import type { CollectOutcome, DueReport } from '../../src/collecting/schema.ts'
import { HOUR, type Instant, MINUTE } from '../../src/lib/instant.ts'
import type { DeliveryState } from '../../src/webhooks/workflow-schema.ts'
import { added } from '../../workflows/check-report.ts'
import { together } from '../../workflows/collect-shards.ts'
import { detailsOf, retrySummary, statusOf } from '../../workflows/delivery-details.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const pending = (attempts: number, more: Partial<DeliveryState> = {}): DeliveryState => ({
  status: 'pending',
  attempts,
  ...more,
})

describe('what operators read of a delivery in the Temporal UI', () => {
  it('is found by its status: retrying from its first failure on, not sent where its webhook was paused', () => {
    expect(statusOf(pending(0))).toBe('pending')
    expect(statusOf(pending(1))).toBe('retrying')
    expect(statusOf({ status: 'failed', attempts: 6 })).toBe('failed')
    expect(statusOf({ status: 'failed', attempts: 1, notSent: true })).toBe('not_sent')
  })

  it('names what its timer waits for', () => {
    expect(retrySummary(pending(0), 5 * MINUTE)).toBe('attempt 1 in 5 min')
    expect(retrySummary(pending(1), 2 * HOUR)).toBe('retry 1 in 2 h')
    expect(retrySummary(pending(3), 2 * HOUR)).toBe('retry 3 in 2 h')
  })

  it('is what it waits for, else how it ended, with its last attempt and how many are used', () => {
    const last = { number: 2, at: AT, text: 'HTTP 500 after 9 ms' }
    expect(detailsOf(pending(2, { last, paused: true }), '**Soon.**').split('\n\n')).toEqual([
      '**Soon.**',
      'Its webhook is **paused**: if it still is when this is due, this is not sent.',
      `Last attempt: number 2 of 6, at ${AT}: HTTP 500 after 9 ms`,
      '2 of 6 attempts used.',
    ])
    expect(detailsOf(pending(0), '')).toBe('**Waiting for the next round.**\n\n0 of 6 attempts used.')
    expect(detailsOf({ status: 'succeeded', attempts: 1, paused: true }, '')).toBe('**Succeeded.**')
    expect(detailsOf({ status: 'failed', attempts: 6 }, '')).toBe('**Failed**: all 6 attempts failed.')
    expect(detailsOf({ status: 'failed', attempts: 0, notSent: true }, '')).toMatch(/^\*\*Not sent\*\*/)
    expect(detailsOf({ status: 'gone', attempts: 0 }, '')).toMatch(/^\*\*Gone\*\*/)
  })
})

describe('the report of a check', () => {
  it('adds up what ran twice, and a part that failed counts for nothing', () => {
    expect(added({ started: 1, failed: 2 }, { started: 3, failed: 4 })).toEqual({ started: 4, failed: 6 })
    // The report of another version may lack a count.
    expect(added<Record<string, number>>({ started: 1, faults: 2 }, { started: 3 })).toEqual({ started: 4, faults: 2 })
    expect(added({ started: 1 }, undefined)).toEqual({ started: 1 })
    expect(added(undefined, { started: 2 })).toEqual({ started: 2 })
    expect(added(undefined, undefined)).toBeUndefined()
  })

  const outcome = (source: string, more: Partial<CollectOutcome> = {}): CollectOutcome => ({
    ...{ source, outcome: 'unchanged', durationMs: 1, ...more },
  })
  const shard = (collected: CollectOutcome[], more: Partial<DueReport> = {}): DueReport => ({
    ...{ collected, slow: [], left: 0, ...more },
  })

  it('has what all shards did: problems first, then what changed', () => {
    const report = together([
      shard([outcome('a'), outcome('b', { outcome: 'changed' })], { slow: ['s'], left: 2 }),
      shard([outcome('c', { outcome: 'failed', problem: 'no' }), outcome('d')], { slow: ['t'], left: 3 }),
    ])
    expect(report.collected.map(({ source }) => source)).toEqual(['c', 'b', 'a', 'd'])
    expect(report).toMatchObject({ slow: ['s', 't'], left: 5 })
    expect(report).not.toHaveProperty('more')
    expect(report).not.toHaveProperty('noInternet')
  })

  it('lists 500 sources of which there is most to say, and counts the others', () => {
    const many = Array.from({ length: 500 }, (_, n) => outcome(`s${n}`))
    expect(together([shard(many)])).not.toHaveProperty('more')
    const report = together([shard(many), shard([outcome('last', { outcome: 'changed' })])])
    expect([report.collected.length, report.collected[0]!.source, report.more]).toEqual([500, 'last', 1])
  })

  it('says that there is no internet where every shard that read something found none', () => {
    const offline = shard([outcome('a')], { noInternet: 'There is no internet here.' })
    expect(together([offline, shard([])]).noInternet).toBe('There is no internet here.')
    expect(together([shard([])])).toEqual({ collected: [], slow: [], left: 0 })
    expect(together([offline, shard([outcome('b')])]).noInternet).toBeUndefined()
  })
})
