import { composedName, isStorable } from '../../lib/text.ts'
import { displayName } from '../name-rules.ts'
import { emailAddress } from '../users/email-rules.ts'
import type { Claims } from './identity-schema.ts'

type ClaimSet = Record<string, unknown>
type Reading = { groupsClaim: string; trustsEmail: boolean }

/** Longer ones are of no provider that means well. */
const MAX_SUBJECT_CHARACTERS = 255
const MAX_GROUPS = 2_000
/** As much of a provider's name for someone as is tried as the name of an account. */
const MAX_NAME_CHARACTERS = 80

/** Returns a claim by its whole name, or along dots: `realm_access.roles`. */
function claimAt(given: ClaimSet, name: string): unknown {
  if (Object.hasOwn(given, name)) return given[name]
  let value: unknown = given
  for (const part of name.split('.')) {
    if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return undefined
    value = (value as ClaimSet)[part]
  }
  return value
}

/** Returns whether everything that decides about an account is in the token; else the provider is asked further. */
export const isComplete = (given: ClaimSet, { groupsClaim }: Pick<Reading, 'groupsClaim'>): boolean =>
  given.email !== undefined && claimAt(given, groupsClaim) !== undefined

/** Whether the provider left the groups out because they are too many (OpenID Connect Core, 5.6.2). */
export function namesGroupsElsewhere(given: ClaimSet, { groupsClaim }: Pick<Reading, 'groupsClaim'>): boolean {
  const elsewhere = given._claim_names
  return typeof elsewhere === 'object' && elsewhere !== null && Object.hasOwn(elsewhere, groupsClaim)
}

/** Returns what a provider says about someone; undefined where it cannot be stored. */
export function readClaims(given: ClaimSet, reading: Reading): Claims | undefined {
  const { iss, sub } = given
  if (typeof iss !== 'string' || typeof sub !== 'string' || sub === '' || sub.length > MAX_SUBJECT_CHARACTERS)
    return undefined
  if (!isStorable(sub)) return undefined
  const email = emailAddress.safeParse(given.email)
  return {
    issuer: iss,
    subject: sub,
    ...(email.success && { email: email.data }),
    isEmailVerified: isVerified(given.email_verified, reading),
    name: nameOf(given, email.success ? email.data : sub),
    groups: groupsOf(claimAt(given, reading.groupsClaim)),
  }
}

/** Some providers write it as a text; some never say it. */
function isVerified(said: unknown, { trustsEmail }: Reading): boolean {
  if (said === undefined) return trustsEmail
  return said === true || said === 'true'
}

const groupsOf = (value: unknown): string[] =>
  [value]
    .flat()
    .filter((group): group is string => typeof group === 'string')
    .slice(0, MAX_GROUPS)

function nameOf(given: ClaimSet, otherwise: string): string {
  const named = [given.name, given.preferred_username, otherwise.split('@')[0]]
  for (const text of named) {
    if (typeof text !== 'string') continue
    const name = displayName.safeParse([...composedName(text)].slice(0, MAX_NAME_CHARACTERS).join(''))
    if (name.success) return name.data
  }
  return 'New user'
}
