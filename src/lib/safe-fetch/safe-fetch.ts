import { createConnections } from './dial/connections.ts'
import type { Resolution } from './dial/resolver.ts'
import { createFindTarget, createPublicResolve, type SafeFetchOptions } from './dial/target.ts'
import { type GetRequest, get } from './get.ts'
import { createJudgeFault } from './judge-fault.ts'
import type { Fault, GetOutcome, PostOutcome } from './outcome.ts'
import { type PostRequest, post } from './post.ts'

export type { GetRequest } from './get.ts'
export type { FailureReason, GetAnswer, GetOutcome, PostOutcome } from './outcome.ts'

/** Says honestly who reads a source. */
const USER_AGENT = 'pricetape/1.0 (records published prices and terms)'

/**
 * The only code that sends requests to other people's servers. Every request looks its host up afresh, refuses it when any
 * address is not public, connects only to the addresses it checked, also through an outbound proxy, verifies TLS against the
 * host name, and reads no proxy from the environment. Outcomes are values: what the other side does never throws.
 */
export type SafeFetch = {
  /** One delivery: https on 443, five seconds over everything, no redirects, 1 KB of the body kept. */
  post(url: string, request: PostRequest): Promise<PostOutcome>
  /** One source: up to 5 redirects (with a `body`, which is sent with POST, none), size and time limits, decompressed. */
  get(url: string, request?: GetRequest): Promise<GetOutcome>
  /** A host's addresses when all are public: the check a URL gets when it is saved. */
  resolve(host: string): Promise<Resolution | Fault>
  /** Closes idle connections and breaks running requests off. */
  close(): Promise<void>
}

export function createSafeFetch(options: SafeFetchOptions & { userAgent?: string } = {}): SafeFetch {
  const resolve = createPublicResolve(options)
  const findTarget = createFindTarget(options, resolve)
  const connections = createConnections(options)
  const judgeFault = createJudgeFault({ proxied: options.proxy !== undefined })
  const { userAgent = USER_AGENT, allowPrivate = false } = options
  return {
    post: (url, request) => post({ connections, findTarget, judgeFault }, url, request),
    get: (url, request = {}) => get({ connections, findTarget, judgeFault, userAgent, allowPrivate }, url, request),
    resolve,
    close: async () => connections.close(),
  }
}
