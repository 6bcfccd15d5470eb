import type { Instant } from '../../lib/instant.ts'

/** A POST that got no answer and was repeated at once, within the same attempt. */
export type EarlierPost = { startedAt: Instant; error: string; durationMs: number }

/** When an attempt was signed, in seconds, and with what. */
export type SignedAt = { timestamp: string; signature: string }

/** What came of an attempt. `text` says it to a person. */
export type AttemptOutcome = {
  /** `platform` is an internal error, `unknown` an attempt whose sender stopped: neither says anything of the receiver. */
  kind: 'succeeded' | 'failed' | 'unknown' | 'platform'
  text: string
  durationMs: number
  status?: number
  /** The first up to 1 KB of the response body. */
  response?: string
  earlierPosts?: EarlierPost[]
  /** The headers that no other attempt has. */
  signed?: SignedAt
  /** Where it was sent. A failure at a URL that was replaced meanwhile does not count toward pausing. */
  url?: string
}
