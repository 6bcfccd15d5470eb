import type { Instant } from '../../lib/instant.ts'

/** Who an account is to an identity provider, as its owner sees it. */
export type Identity = {
  identityId: string
  issuer: string
  email: string | null
  createdAt: Instant
  lastUsedAt: Instant | null
}

/** What the provider says about someone who signed in there. */
export type Claims = {
  issuer: string
  subject: string
  email?: string
  /** The provider says that mail to the address reaches this person. */
  isEmailVerified: boolean
  name: string
  groups: string[]
}
