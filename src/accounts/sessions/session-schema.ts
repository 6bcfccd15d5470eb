import type { Instant } from '../../lib/instant.ts'

/** A session as its owner sees it: never its token. */
export type SessionView = {
  sessionId: string
  createdAt: Instant
  lastSeenAt: Instant
  expiresAt: Instant
  address: string
  userAgent: string
}
/** Who sends a request, as far as its session says. */
export type SignedIn = {
  sessionId: string
  accountId: string
  email: string
  operator: boolean
  /** The workspace joined first: requests that name none count there. */
  firstWorkspaceId: string | null
}
