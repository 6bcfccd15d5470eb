import type { Instant } from '../../lib/instant.ts'

/** An account as its owner and operators see it. */
export type Account = {
  accountId: string
  email: string
  name: string
  operator: boolean
  emailVerifiedAt: Instant | null
  disabledAt: Instant | null
  createdAt: Instant
}
