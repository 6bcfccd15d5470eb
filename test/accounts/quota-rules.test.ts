import { describe, expect, it } from 'vitest'
import { quotaBucket, whereFull, workspaceQuota } from '../../src/accounts/workspaces/quota-rules.ts'

const NONE = { webhooks: null, apiKeys: null, members: null, requestsPerMinute: null }
const messages = (quota: object) => workspaceQuota.safeParse({ ...NONE, ...quota }).error?.issues.map((i) => i.message)

describe('the quota of a workspace', () => {
  it('is null where the specification decides, else at most what it allows', () => {
    expect(workspaceQuota.parse(NONE)).toEqual(NONE)
    const largest = { webhooks: 20, apiKeys: 20, members: 10_000, requestsPerMinute: 600 }
    expect(workspaceQuota.parse(largest)).toEqual(largest)
    const least = { webhooks: 0, apiKeys: 0, members: 1, requestsPerMinute: 1 }
    expect(workspaceQuota.parse(least)).toEqual(least)
  })

  it.each([
    ['webhooks', 21, 'must be at most 20'],
    ['webhooks', -1, 'must be at least 0'],
    ['apiKeys', 21, 'must be at most 20'],
    ['apiKeys', -1, 'must be at least 0'],
    ['members', 10_001, 'must be at most 10000'],
    ['members', 0, 'must be at least 1'],
    ['requestsPerMinute', 601, 'must be at most 600'],
    ['requestsPerMinute', 0, 'must be at least 1'],
    ['requestsPerMinute', 1.5, 'must be a whole number from 1 to 600'],
    ['webhooks', '3', 'must be a whole number from 0 to 20'],
  ])('refuses %s %s: %s', (name, value, message) => expect(messages({ [name]: value })).toEqual([message]))

  it('refuses other properties, and one that is missing', () => {
    expect(messages({ keys: 3 })).toHaveLength(1)
    expect(workspaceQuota.safeParse({ webhooks: 1 }).success).toBe(false)
  })
})

describe('the bucket of a workspace with a quota of requests', () => {
  it('fills by the second, and holds no more than a minute of requests or the burst of the specification', () => {
    expect(quotaBucket(600)).toEqual({ rate: 10, burst: 40 })
    expect(quotaBucket(120)).toEqual({ rate: 2, burst: 40 })
    expect(quotaBucket(30)).toEqual({ rate: 0.5, burst: 30 })
  })
})

describe('what to do where a workspace is full', () => {
  it('is to ask an operator only where the operator allows less than the specification', () => {
    expect(whereFull(19, 20)).toContain('ask an operator')
    expect(whereFull(20, 20)).toBe('delete one first.')
  })
})
