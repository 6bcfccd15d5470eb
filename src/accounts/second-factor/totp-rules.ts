import { Secret, TOTP } from 'otpauth'
import { SECOND } from '../../lib/instant.ts'

/** RFC 6238 with what every authenticator app takes for granted. */
const PERIOD_MS = 30 * SECOND
const DIGITS = 6
/** A clock may be off by one period. */
const WINDOW = 1
const ISSUER = 'Pricetape'
const SHOWN_IN_GROUPS_OF = 4

/** One account's codes. `secret` is in base32, as an authenticator app takes it when it is typed. */
const codesOf = (secret: string, label: string): TOTP =>
  new TOTP({
    issuer: ISSUER,
    label,
    secret: Secret.fromBase32(secret),
    digits: DIGITS,
    period: PERIOD_MS / SECOND,
  })

/** Returns the address that a QR code carries into an authenticator app. */
export const enrolmentUri = (secret: string, email: string): string => codesOf(secret, email).toString()

/** Returns the period that a code belongs to; undefined when it is not a code of now. */
export function periodOf(secret: string, code: string, now: number): number | undefined {
  const delta = codesOf(secret, ISSUER).validate({ token: code, timestamp: now, window: WINDOW })
  return delta === null ? undefined : Math.floor(now / PERIOD_MS) + delta
}

/** Returns a code as it is compared: without the spaces and hyphens that people type, in capitals. */
export const plainCode = (typed: string): string => typed.replace(/[\s-]/g, '').toUpperCase()

/** Whether it has the form of an authenticator app's code; anything else may be a recovery code. */
export const isTotpCode = (code: string): boolean => /^\d{6}$/.test(code)

/** Returns a recovery code as it is shown: `ABCD-EFGH-…`. */
export const shownRecoveryCode = (code: string): string =>
  (code.match(new RegExp(`.{1,${SHOWN_IN_GROUPS_OF}}`, 'g')) ?? []).join('-')
