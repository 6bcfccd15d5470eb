import { SECOND } from '../../lib/instant.ts'

/** How many connections there may be, and how long each of them may take for what. */
export type ConnectionLimits = {
  connections: number
  /** Per client address; connections of trusted proxies are not counted by address. */
  perAddress: number
  /** Requests of one connection that may wait while an earlier one is answered. */
  pipelined: number
  /** A request's head has to arrive within this time. */
  headersMs: number
  /** A request's head and body have to arrive within this time. */
  requestMs: number
  /** A connection without a request is kept open for so long. */
  keepAliveMs: number
  /** An answer of which the client takes nothing for so long is given up. */
  stalledMs: number
  /** An answer has to be taken completely within this time. */
  answerMs: number
  /** When the server stops, answers under way get this time. */
  closeMs: number
}

export const CONNECTION_LIMITS: ConnectionLimits = {
  connections: 2_000,
  perAddress: 200,
  pipelined: 8,
  headersMs: 10 * SECOND,
  requestMs: 20 * SECOND,
  keepAliveMs: 15 * SECOND,
  stalledMs: 15 * SECOND,
  answerMs: 120 * SECOND,
  closeMs: 10 * SECOND,
}

/** Longer than load balancers keep a connection (60 s is common), so that they never use one we are closing. */
export const PROXY_KEEP_ALIVE_MS = 75 * SECOND

/** A connection as eviction sees it. `since`: when it was opened, or its last request began or ended. */
export type Candidate = { since: number; working: boolean }

/**
 * Returns the connection to close in favour of a new one: the one that has waited longest, for a request or for its
 * client to take an answer. Undefined when all are being worked for.
 */
export function longestWaiting<C extends Candidate>(connections: Iterable<C>): C | undefined {
  let longest: C | undefined
  for (const connection of connections) {
    if (!connection.working && (!longest || connection.since < longest.since)) longest = connection
  }
  return longest
}
