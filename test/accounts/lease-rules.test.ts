import { describe, expect, it } from 'vitest'
import { KEY_BUCKETS, leaseSize, quotasOfLease, withLeased } from '../../src/accounts/limits/lease-rules.ts'
import { emptyQuota } from '../../src/accounts/limits/rate-limit-rules.ts'

describe('tokens that a process leases', () => {
  it('are of every bucket that a request of the key has to fit in', () => {
    expect(KEY_BUCKETS).toEqual({
      usual: ['caller', 'workspace'],
      history: ['caller', 'history', 'workspace'],
      log: ['log'],
    })
  })

  it('are what the slowest bucket regains in a second, and 20 at most', () => {
    expect([leaseSize('usual'), leaseSize('history'), leaseSize('log')]).toEqual([5, 2, 20])
  })

  it('are all that is left for certain where the database was not asked', () => {
    const quotas = quotasOfLease('usual', 3)
    expect(quotas).toEqual([
      { ...emptyQuota('caller'), remaining: 3 },
      { ...emptyQuota('workspace'), remaining: 3 },
    ])
  })

  it('count as left beside those that the database has', () => {
    const quota = { ...emptyQuota('caller'), remaining: 5 }
    expect(withLeased([quota], 4)).toEqual([{ ...quota, remaining: 9 }])
  })
})
