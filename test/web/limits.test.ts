import { describe, expect, it } from 'vitest'
import { INVITATION_LIFETIME_MS, MAX_INVITATIONS_PER_DAY } from '../../src/accounts/invitations/invitation-rules.ts'
import { MAX_API_KEYS } from '../../src/accounts/keys/api-key-rules.ts'
import { MAX_NETWORKS } from '../../src/accounts/keys/network-rules.ts'
import { MAX_WORKSPACES } from '../../src/accounts/members/workspace-rules.ts'
import { displayName } from '../../src/accounts/name-rules.ts'
import { MAX_PASSKEYS } from '../../src/accounts/passkeys/passkey-rules.ts'
import { LINK_LIFETIME_MS } from '../../src/accounts/users/links/link-rules.ts'
import { newPassword } from '../../src/accounts/users/password-rules.ts'
import { LARGEST_QUOTA, MAX_WEBHOOKS_PER_WORKSPACE } from '../../src/accounts/workspaces/quota-rules.ts'
import { MAX_ENTRIES } from '../../src/audit/list-actions.ts'
import { readConfig } from '../../src/lib/config.ts'
import { DAY, HOUR, instantOf, MINUTE } from '../../src/lib/instant.ts'
import {
  MAX_FILTER_BYTES,
  MAX_FILTER_NAMES,
  MAX_PAGE_ROWS,
  MAX_PROVIDERS,
} from '../../src/prices/history/history-rules.ts'
import { MAX_WATCHES } from '../../src/watches/watch-rules.ts'
import * as shown from '../../src/web/limits.ts'
import { clockTime, roundAfter } from '../../src/web/pages/delivery/next-round.ts'
import { pauseForecast } from '../../src/webhooks/attempts/auto-pause-rules.ts'
import { LOG_KEPT_MS, LOG_LENGTH } from '../../src/webhooks/attempts/delivery-rules.ts'
import { MAX_FILTER_ENTRIES, MAX_GROUPS_PER_WEBHOOK, ROTATION_OVERLAP_MS } from '../../src/webhooks/rules.ts'

const { LARGEST_QUOTA: shownQuota, ...numbers } = shown
const limits: Record<string, number> = numbers

describe('the limits that pages show', () => {
  it.each([
    ['MAX_NETWORKS', 50, MAX_NETWORKS],
    ['MAX_PASSKEYS', 20, MAX_PASSKEYS],
    ['MAX_WATCHES', 50, MAX_WATCHES],
    ['MAX_WORKSPACES', 3, MAX_WORKSPACES],
    ['MAX_FILTER_ENTRIES', 200, MAX_FILTER_ENTRIES],
    ['MAX_GROUPS', 50, MAX_GROUPS_PER_WEBHOOK],
    ['MAX_INVITATIONS_PER_DAY', 20, MAX_INVITATIONS_PER_DAY],
    ['INVITATION_DAYS', 7, INVITATION_LIFETIME_MS / DAY],
    ['LINK_HOURS', 24, LINK_LIFETIME_MS.verify_email! / HOUR],
    ['LINK_HOURS', 24, LINK_LIFETIME_MS.sign_up! / HOUR],
    ['ROTATION_HOURS', 24, ROTATION_OVERLAP_MS / HOUR],
    ['ROUND_MINUTES', 5, readConfig({}).checkIntervalMs / MINUTE],
    ['LOG_LENGTH', 50, LOG_LENGTH],
    ['LOG_DAYS', 30, LOG_KEPT_MS / DAY],
    ['MAX_AUDIT_ENTRIES', 1_000, MAX_ENTRIES],
    ['MAX_NAMES', 50, MAX_FILTER_NAMES],
    ['MAX_NAME_BYTES', 4_000, MAX_FILTER_BYTES],
    ['MAX_PROVIDERS', 200, MAX_PROVIDERS],
    ['MAX_ROWS', 10_000, MAX_PAGE_ROWS],
  ] as const)('%s are %d, as in the service', (name, literal, served) => {
    expect([limits[name], served]).toEqual([literal, literal])
  })

  it('are the largest quotas, which are the limits of the specification', () => {
    expect(shownQuota).toEqual({ webhooks: 20, apiKeys: 20, members: 10_000, requestsPerMinute: 600 })
    expect(LARGEST_QUOTA).toEqual(shownQuota)
    expect([LARGEST_QUOTA.webhooks, LARGEST_QUOTA.apiKeys]).toEqual([MAX_WEBHOOKS_PER_WORKSPACE, MAX_API_KEYS])
  })

  it('are those that names, passwords and pauses are checked with', () => {
    expect([shown.MAX_NAME_CHARACTERS, shown.MIN_PASSWORD_CHARACTERS]).toEqual([80, 12])
    expect([80, 81].map((length) => displayName.safeParse('x'.repeat(length)).success)).toEqual([true, false])
    expect([11, 12].map((length) => newPassword.safeParse('correct horse battery'.slice(0, length)).success)).toEqual([
      false,
      true,
    ])
    const firstFailureAt = instantOf(Date.UTC(2026, 0, 1))
    expect([shown.PAUSE_FAILURES, shown.PAUSE_HOURS]).toEqual([5, 24])
    expect(pauseForecast({ failuresInRow: 1, firstFailureAt })).toEqual({
      failuresLeft: 4,
      notBefore: '2026-01-02T00:00:00.000Z',
    })
  })
})

describe('the round that pages announce', () => {
  const at = (time: string) => Date.parse(`2026-01-01T${time}Z`)

  it.each([
    ['02:35:45', '02:30:00', '02:40 UTC'],
    ['02:40:00', '02:30:00', '02:40 UTC'],
    ['02:35:45', '02:41:00', '02:45 UTC'],
  ])('for what is due at %s, seen at %s, starts at %s', (due, now, round) => {
    expect(clockTime(roundAfter(at(due), at(now)))).toBe(round)
  })
})
