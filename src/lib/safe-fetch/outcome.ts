/** Why a request failed, for programs; the same words appear in the delivery log. */
export type FailureReason =
  | 'invalid_url'
  | 'private_address'
  | 'dns_not_found'
  | 'dns_failed'
  | 'connection_refused'
  | 'unreachable'
  | 'tls_failed'
  | 'connection_closed'
  | 'bad_response'
  | 'timeout'
  | 'too_large'
  | 'bad_redirect'

/** The other side's fault, with one sentence for the person who reads the log. */
export type Failure = {
  kind: 'failed'
  reason: FailureReason
  message: string
  /** The status, when the answer had begun before it failed. */
  status?: number
  /** What came of the response body before it failed, as in {@link PostAnswer}. Absent when no status came. */
  response?: string
  durationMs: number
}

/** Our fault: our resolver, our network, our shutdown. It says nothing about the other side. */
export type Platform = {
  kind: 'platform'
  message: string
  /** This machine has no way to the internet, or no name server that answers. */
  offline?: true
}

/** A POST that was made before the last one of the same attempt, on a connection that turned out to be dead. */
export type EarlierPost = {
  /** When it was sent, in milliseconds after the attempt began. */
  startedAfterMs: number
  durationMs: number
  message: string
}

type PostAnswer = {
  kind: 'answer'
  status: number
  /** The first up to 1 KB of the response body, as text that PostgreSQL can store. */
  response: string
  durationMs: number
}

export type GetAnswer = {
  kind: 'answer'
  status: number
  /** By lower-case name; several values are joined by `, `. */
  headers: Record<string, string>
  /** The body, decompressed. */
  bytes: Uint8Array
  /** Where the answer came from, after redirects. */
  url: string
  durationMs: number
}

/** What came of the last POST of an attempt. `earlierPosts` lists the others, so that the log shows every POST. */
export type PostOutcome = (PostAnswer | Failure | Platform) & { earlierPosts?: EarlierPost[] }
export type GetOutcome = GetAnswer | Failure | Platform

/** A fault before it is known how long the request took. */
export type Fault = Omit<Failure, 'durationMs'> | Platform

export const failed = (reason: FailureReason, message: string): Fault => ({ kind: 'failed', reason, message })
export const platform = (message: string): Platform => ({ kind: 'platform', message })
export const offline = (message: string): Platform => ({ kind: 'platform', message, offline: true })

/** This process stood still: it cannot say who was late. */
export const stoodStill = (ms: number): Platform => platform(`this process stood still for ${Math.round(ms)} ms`)

export function timed(fault: Fault, startedAt: number): Failure | Platform {
  if (fault.kind === 'platform') return fault
  return { ...fault, durationMs: elapsed(startedAt) }
}

export const elapsed = (startedAt: number): number => Math.round(performance.now() - startedAt)
