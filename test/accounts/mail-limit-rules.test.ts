import { describe, expect, it } from 'vitest'
import { MOST_INVITATIONS } from '../../src/accounts/invitations/invitation-rules.ts'
import { STRANGERS } from '../../src/accounts/sessions/backoff-rules.ts'
import {
  BROWSER_KEPT_MS,
  knownBrowserCookie,
  knownBrowserToken,
} from '../../src/accounts/sessions/known-browser-rules.ts'
import {
  ADDRESSES_OF_ACCOUNT,
  LINKS_TO_ADDRESS,
  SIGN_UPS_OF_CLIENT,
} from '../../src/accounts/users/links/link-rules.ts'
import { memberRemovedMail } from '../../src/accounts/users/mail/mail-rules.ts'
import { signInChangeMail } from '../../src/accounts/users/sign-in-change-rules.ts'
import type { Instant } from '../../src/lib/instant.ts'

const AT = '2026-11-22T10:15:30.000Z' as Instant
/** How many a second are so many in this many seconds. */
const per = (count: number, seconds: number) => expect.closeTo(count / seconds, 12)

describe('the limits of mails and of tries to sign in', () => {
  it('are buckets: five links to an address, then four an hour', () => {
    expect(LINKS_TO_ADDRESS).toEqual({ rate: per(4, 3_600), burst: 5 })
  })

  it('are five other addresses of an account, then five a day', () => {
    expect(ADDRESSES_OF_ACCOUNT).toEqual({ rate: per(5, 86_400), burst: 5 })
  })

  it('are twenty addresses that sign up from one client, then twenty an hour', () => {
    expect(SIGN_UPS_OF_CLIENT).toEqual({ rate: per(20, 3_600), burst: 20 })
  })

  it('are twenty tries from unknown browsers, then one in three minutes', () => {
    expect(STRANGERS).toEqual({ rate: per(1, 180), burst: 20 })
  })

  it('are 20 invitations a day of a workspace, 40 of one person and 5 to one address', () => {
    expect(MOST_INVITATIONS).toEqual({ workspace: 20, inviter: 40, recipient: 5 })
  })
})

describe('the cookie of a known browser', () => {
  const token = 'a-_9'.repeat(11).slice(1)

  it('is kept for 400 days, and sent to no page of another site', () => {
    expect(BROWSER_KEPT_MS).toBe(34_560_000_000)
    expect(knownBrowserCookie(token, true)).toBe(
      `__Host-pricetape-browser=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=34560000; Secure`,
    )
  })

  it('is read where it has 43 characters of ours', () => {
    expect(knownBrowserToken(`x=1; pricetape-browser=${token}`, false)).toBe(token)
    for (const wrong of [`${token}a`, token.slice(1), `!${token.slice(1)}`, `${token} b`, ''])
      expect(knownBrowserToken(`pricetape-browser=${wrong}`, false)).toBeUndefined()
    expect(knownBrowserToken(`pricetape-browser=${token}`, true)).toBeUndefined()
    expect(knownBrowserToken(undefined, true)).toBeUndefined()
  })
})

describe('a mail about an account', () => {
  it('says which workspace someone was removed from, without addresses in its name', () => {
    expect(memberRemovedMail({ workspaceId: 'w1', workspace: 'Acme evil.example' })).toEqual({
      kind: 'member_removed',
      text: 'An admin removed you from the workspace "Acme [address removed]". You can no longer open it. Your account stays, and so do the API keys and webhooks that you created there.\n',
      validMs: 604_800_000,
      about: 'w1',
    })
  })

  it.each(['passkey_added', 'passkey_removed', 'identity_linked', 'identity_unlinked'] as const)(
    'has no address in the name of what changed: %s',
    (kind) => {
      const { text } = signInChangeMail({ kind, about: 'key evil.example' }, AT, 'https://tape.example')
      expect(text).toContain('key [address removed]')
      expect(text).not.toContain('evil')
    },
  )

  it('names a new address as it is, and sends its former owner to an operator', () => {
    const { text } = signInChangeMail({ kind: 'email_changed', about: 'new@example.com' }, AT, 'https://tape.example')
    expect(text).toContain('The address of your account is now new@example.com.')
    expect(text).toContain('this address no longer opens the account.')
    expect(text).not.toContain('forgot-password')
  })
})
