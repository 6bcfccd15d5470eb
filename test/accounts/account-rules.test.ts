import { describe, expect, it } from 'vitest'
import { cookieValues } from '../../src/accounts/cookie-rules.ts'
import { rateLimitHeaders } from '../../src/accounts/limits/rate-limit-header-rules.ts'
import { emptyQuota, quotaOf, retryAfter } from '../../src/accounts/limits/rate-limit-rules.ts'
import { displayName, readName } from '../../src/accounts/name-rules.ts'
import { browserToken } from '../../src/accounts/passkeys/browser-cookie-rules.ts'
import { creationOptions, readClientData } from '../../src/accounts/passkeys/passkey-rules.ts'
import { expectedOrigin } from '../../src/accounts/passkeys/relying-party-rules.ts'
import {
  enrolmentUri,
  isTotpCode,
  periodOf,
  plainCode,
  shownRecoveryCode,
} from '../../src/accounts/second-factor/totp-rules.ts'
import {
  FAILURES_KEPT_MS,
  FIRST_WAIT_MS,
  FREE_FAILURES,
  LONGEST_WAIT_MS,
} from '../../src/accounts/sessions/backoff-rules.ts'
import { RECENT_MS, SESSION_IDLE_MS, sessionCookie, sessionToken } from '../../src/accounts/sessions/session-rules.ts'
import { emailAddress, emailKey } from '../../src/accounts/users/email-rules.ts'
import { LINK_LIFETIME_MS, LINK_PATHS, linkTo } from '../../src/accounts/users/links/link-rules.ts'
import { accountExistsMail, invitationMail, linkMail } from '../../src/accounts/users/mail/mail-rules.ts'
import { checkPasswordIsNotEmail, givenPassword, newPassword } from '../../src/accounts/users/password-rules.ts'
import { signInChangeMail } from '../../src/accounts/users/sign-in-change-rules.ts'
import type { Instant } from '../../src/lib/instant.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

/** What a zod shape says about a text: its message, or the text as it is kept. */
const read = (shape: typeof displayName | typeof newPassword | typeof emailAddress, text: string): string => {
  const parsed = shape.safeParse(text)
  return parsed.success ? `ok: ${parsed.data}` : parsed.error.issues[0]!.message
}

describe('the name of an account, a workspace or a key', () => {
  it('is composed, with single spaces, and has 1 to 80 characters of which one can be seen', () => {
    expect(read(displayName, '  Ada   Lovelace ')).toBe('ok: Ada Lovelace')
    expect(read(displayName, '   ')).toBe('must not be empty')
    expect(read(displayName, '\u200b')).toBe('must have a visible character')
    expect(read(displayName, '👍'.repeat(80))).toBe(`ok: ${'👍'.repeat(80)}`)
    expect(read(displayName, 'x'.repeat(81))).toBe('must be at most 80 characters')
    expect(read(displayName, 'a\u0007b')).toBe('must not contain control characters')
    // They turn round what stands behind the name: “a of your workspaces” is read as “secapskrow ruoy fo a”.
    for (const turning of ['\u202a', '\u202e', '\u2066', '\u2069'])
      expect(read(displayName, `a${turning}b`)).toBe('must not contain characters that turn the direction of text')
    expect(read(displayName, 'مفتاح\u200f 👩‍👧')).toBe('ok: مفتاح\u200f 👩‍👧')
  })

  it('is refused with the reason, and the field', () => {
    expect(readName(' Ada ')).toBe('Ada')
    expect(() => readName('a\u0007b')).toThrow(
      expect.objectContaining({
        code: 'invalid_body',
        field: 'name',
        message: 'The name must not contain control characters.',
      }),
    )
  })
})

describe('a password', () => {
  it('has 12 to 128 characters, counted as people see them, and no control characters', () => {
    expect(read(newPassword, 'abcdefghijkl')).toBe('ok: abcdefghijkl')
    expect(read(newPassword, 'abcdefghijk')).toBe('must have at least 12 characters')
    expect(read(newPassword, '👍'.repeat(11))).toBe('must have at least 12 characters')
    expect(read(newPassword, 'ab'.repeat(64))).toBe(`ok: ${'ab'.repeat(64)}`)
    expect(read(newPassword, `${'ab'.repeat(64)}c`)).toBe('must have at most 128 characters')
    expect(read(newPassword, 'abcdefghijk\u0007')).toBe('must not contain control characters')
    expect(read(newPassword, 'a'.repeat(12))).toBe('must not repeat one character')
  })

  it('is the same however a keyboard composes its letters', () => {
    expect(read(newPassword, 'cafe\u0301 cafe\u0301 cafe\u0301')).toBe('ok: café café café')
    expect(givenPassword.parse('cafe\u0301')).toBe('café')
    expect(givenPassword.safeParse('x'.repeat(512)).success).toBe(true)
    expect(givenPassword.safeParse('x'.repeat(513)).error!.issues[0]!.message).toBe('is too long')
  })

  it('is not the address of the account, in any capitals', () => {
    expect(() => checkPasswordIsNotEmail('Ada@Example.com', 'ada@example.com')).toThrow(
      expect.objectContaining({ code: 'invalid_body', field: 'password' }),
    )
    expect(() => checkPasswordIsNotEmail('another password', 'ada@example.com')).not.toThrow()
  })
})

describe('an e-mail address', () => {
  it('is trimmed, has at most 254 characters, and is compared without regard to capitals', () => {
    expect(read(emailAddress, ' ada@example.com ')).toBe('ok: ada@example.com')
    expect(read(emailAddress, 'ada')).toBe('must be an e-mail address')
    expect(read(emailAddress, `${'a'.repeat(250)}@example.com`)).toBe('must be at most 254 characters')
    expect(emailKey('Ada@Example.com')).toBe('ada@example.com')
  })
})

describe('a link that is mailed', () => {
  it('holds for a day, and for an hour where it changes a password', () => {
    expect(LINK_LIFETIME_MS).toEqual({
      first_account: undefined,
      sign_up: DAY,
      verify_email: DAY,
      reset_password: HOUR,
      change_email: DAY,
    })
  })

  it('carries its token behind #, where no server sees it', () => {
    const kinds = ['first_account', 'sign_up', 'verify_email', 'reset_password', 'change_email', 'invitation'] as const
    expect(kinds.map((kind) => linkTo('https://tape.example', kind, 't0'))).toEqual([
      'https://tape.example/first-account#token=t0',
      'https://tape.example/sign-up#token=t0',
      'https://tape.example/verify-email#token=t0',
      'https://tape.example/reset-password#token=t0',
      'https://tape.example/verify-email#token=t0',
      'https://tape.example/invitation#token=t0',
    ])
    expect(LINK_PATHS).toEqual(['/first-account', '/sign-up', '/verify-email', '/reset-password', '/invitation'])
  })

  it('comes with what it is for, and is valid as long as it says', () => {
    const link = 'https://tape.example/x#token=t0'
    const kinds = ['sign_up', 'verify_email', 'change_email', 'reset_password'] as const
    const mails = kinds.map((kind) => linkMail(kind, link))
    expect(mails.map(({ kind, validMs }) => [kind, validMs])).toEqual([
      ['sign_up', DAY],
      ['verify_email', DAY],
      ['change_email', DAY],
      ['reset_password', HOUR],
    ])
    for (const { text } of mails) expect(text).toContain(`:\n\n${link}\n\nIf you did not request this, ignore`)
    const exists = accountExistsMail('https://tape.example')
    expect(exists).toMatchObject({ kind: 'account_exists', validMs: HOUR })
    expect(exists.text).toContain('sign in at https://tape.example')
    const invitation = invitationMail({ workspaceId: 'w1', workspace: 'Acme', invitedBy: 'Ada', link })
    expect(invitation).toMatchObject({ kind: 'invitation', validMs: 7 * DAY })
    expect(invitation.text).toContain(link)
  })
})

describe('the mail after a change of how an account signs in', () => {
  it('says what changed and when, and where to go if it was someone else', () => {
    const at = '2026-11-22T10:15:30.000Z' as Instant
    const mail = signInChangeMail({ kind: 'passkey_added', about: '$& key' }, at, 'https://tape.example')
    expect(mail.kind).toBe('passkey_added')
    expect(mail.text).toContain(
      'The passkey "$& key" can now sign in to your account.\n\nThis was on 2026-11-22 at 10:15 UTC.',
    )
    expect(mail.text).toContain('https://tape.example/forgot-password')
    expect(mail.validMs).toBe(7 * DAY)
    expect(signInChangeMail({ kind: 'email_changed' }, at, '').text).toContain('address of your account is now .')
  })
})

describe('the waits after failed tries to sign in', () => {
  it('begin at one second after five failures, grow to 15 minutes, and are forgotten after a day', () => {
    expect([FREE_FAILURES, FIRST_WAIT_MS, LONGEST_WAIT_MS, FAILURES_KEPT_MS]).toEqual([5, 1_000, 15 * 60_000, DAY])
  })
})

describe('the cookie of a session', () => {
  const token = 'a'.repeat(43)
  it('holds for 90 days, goes with navigation, and is read back; without a token it ends at once', () => {
    expect(sessionCookie(token, true)).toBe(
      `__Host-pricetape=${token}; Path=/; HttpOnly; SameSite=Lax; Max-Age=7776000; Secure`,
    )
    expect(sessionCookie(undefined, false)).toBe('pricetape=; Path=/; HttpOnly; SameSite=Lax; Max-Age=0')
    expect(sessionToken(`a=b; __Host-pricetape=${token}`, true)).toBe(token)
    expect(sessionToken('pricetape=', false)).toBeUndefined()
    expect(sessionToken(undefined, false)).toBeUndefined()
    expect(SESSION_IDLE_MS).toBe(14 * DAY)
  })

  it('is found by its whole name alone', () => {
    expect(cookieValues('pricetape-x=1; pricetape=2; xpricetape=3', 'pricetape', false)).toEqual(['2'])
    expect(cookieValues(undefined, '', false)).toEqual([])
    expect(browserToken(`pricetape-passkey=x${token}; pricetape-passkey=${token}`, false)).toBe(token)
    expect(browserToken(`pricetape-passkey=${token}x`, false)).toBeUndefined()
  })
})

describe('a passkey', () => {
  it('may use Ed25519, ECDSA or RSA, is kept on the device, and says so', () => {
    const account = { accountId: '019aa000-0000-7000-8000-000000000001', email: 'ada@example.com', name: 'Ada' }
    const options = creationOptions({ party: { id: 'localhost' }, challenge: 'c', account, present: [] })
    expect(options.pubKeyCredParams).toEqual([-8, -7, -257].map((alg) => ({ alg, type: 'public-key' })))
    expect(options.authenticatorSelection?.requireResidentKey).toBe(true)
    expect(options.extensions).toEqual({ credProps: true })
    expect(options.excludeCredentials).toEqual([])
  })

  it('without a public address belongs to this machine, at any port of at most five digits', () => {
    const origin = (claimed: string) => expectedOrigin({ id: 'localhost' }, claimed)
    expect(origin('http://localhost')).toBe('http://localhost')
    expect(RECENT_MS).toBe(600_000)
    expect(origin('http://localhost:123456')).toBe('http://localhost')
    expect(origin('x-http://localhost:5173')).toBe('http://localhost')
    expect(readClientData('%%%')).toBeUndefined()
  })
})

describe('a second factor', () => {
  const secret = 'JBSWY3DPEHPK3PXP'
  // RFC 6238 with this secret, computed with another program: 282760 at the Unix time 0, 996554 thirty seconds later.
  it('is a code of six digits for thirty seconds, accepted one period early or late', () => {
    expect(periodOf(secret, '282760', 0)).toBe(0)
    expect(periodOf(secret, '996554', 0)).toBe(1)
    expect(periodOf(secret, '282760', 59_999)).toBe(0)
    expect(periodOf(secret, '282760', 60_000)).toBeUndefined()
    expect(periodOf(secret, '000000', 0)).toBeUndefined()
  })

  it('is set up with an address that names the service, the account and the secret', () => {
    const uri = new URL(enrolmentUri(secret, 'ada@example.com'))
    expect(decodeURIComponent(uri.pathname)).toContain('Pricetape:ada@example.com')
    const { searchParams: of } = uri
    expect([of.get('secret'), of.get('issuer'), of.get('digits'), of.get('period')]).toEqual([
      secret,
      'Pricetape',
      '6',
      '30',
    ])
  })

  it('is read as people type it', () => {
    expect(plainCode(' 282 760 ')).toBe('282760')
    expect(plainCode('abcd-efgh-ijkl')).toBe('ABCDEFGHIJKL')
    expect([isTotpCode('282760'), isTotpCode('2827600'), isTotpCode('x282760'), isTotpCode('28276')]).toEqual([
      true,
      false,
      false,
      false,
    ])
    expect(shownRecoveryCode('ABCDEFGHIJ')).toBe('ABCD-EFGH-IJ')
    expect(shownRecoveryCode('')).toBe('')
  })
})

describe('what a client may still request', () => {
  it('is counted in whole tokens, and said in the headers of the draft', () => {
    expect(quotaOf('caller', 0)).toMatchObject({ kind: 'caller', remaining: 20, fullIn: 0 })
    expect(quotaOf('caller', 0.2)).toMatchObject({ kind: 'caller', remaining: 19, fullIn: 0.2 })
    expect(quotaOf('caller', 0.3).remaining).toBe(18)
    expect(quotaOf('history', 99).remaining).toBe(0)
    expect(emptyQuota('history')).toMatchObject({ kind: 'history', remaining: 0, fullIn: 2.5 })
    expect(emptyQuota('workspace')).toMatchObject({ kind: 'workspace', remaining: 0, fullIn: 4 })
    const quotas = [quotaOf('caller', 0.2), quotaOf('workspace', 0), quotaOf('history', 1.1), quotaOf('address', 0)]
    expect(rateLimitHeaders(quotas, 'key')).toEqual({
      'ratelimit-policy': '"key";q=20;w=4, "workspace";q=40;w=4, "history";q=5;w=3, "failures";q=20;w=4',
      ratelimit: '"key";r=19;t=1, "workspace";r=40;t=0, "history";r=2;t=2, "failures";r=20;t=0',
    })
    expect(rateLimitHeaders([quotaOf('caller', 0)], 'user').ratelimit).toBe('"user";r=20;t=0')
  })

  it('comes again after a whole second at least', () => {
    expect([0, 0.2, 1, 1.01].map(retryAfter)).toEqual([1, 1, 1, 2])
  })
})
