import { epochMs, SECOND } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import { lastUsed } from '../last-used.ts'
import { LEASE_MS, leaseSize, quotasOfLease, withLeased } from '../limits/lease-rules.ts'
import {
  type KeyRequests,
  leaseTokens,
  returnTokens,
  type TokenGrant,
  type UnusedTokens,
} from '../limits/lease-store.ts'
import type { RequestLimit } from '../limits/rate-limit-rules.ts'
import type { DrawResult } from '../limits/rate-limit-store.ts'
import { LAST_USED_EVERY_MS } from './api-key-rules.ts'
import { markUsed } from './api-key-store.ts'

/** Keys of which this process remembers what it leased last. */
const MAX_REMEMBERED = 10_000
/** Keys in one statement at most: it holds the rows of their buckets. */
const MAX_BATCH = 64

type KeyRequest = { hash: string; address: string; limit: RequestLimit }
/** What a request of a key is answered with. Without `keyId` there is no such key. */
export type KeyUse = DrawResult & { keyId?: string; workspaceId?: string }

/** What this process knows of a key since it last asked the database. */
type Lease = {
  owner: { keyId: string; workspaceId: string }
  askedAt: number
  /** Tokens used since, and leased ones that are left. */
  used: number
  left: number
  /** Leased tokens are used before this, and refusals given until then need no statement. */
  until: number
  refusedUntil: number
  back: Omit<UnusedTokens, 'tokens'>
}

type KeyQueue = KeyRequest & { answers: { resolve: (use: KeyUse) => void; reject: (error: unknown) => void }[] }

/**
 * Admits requests of API keys. One statement runs at a time, for all keys that came in while the one before it ran. A key
 * that comes twice within a second leases a few tokens, and its next requests need no statement.
 * @param clock milliseconds that never step back
 * @param sizeOf how many tokens of a key are taken at once at most
 */
export function createKeyUses(sql: Sql, clock: () => number = () => performance.now(), sizeOf = leaseSize) {
  const leases = lastUsed<Lease>(MAX_REMEMBERED)
  const waiting = new Map<string, KeyQueue>()
  let running: Promise<void> | undefined

  function requestsOf(name: string, { hash, address, limit, answers }: KeyQueue): KeyRequests {
    const lease = leases.get(name)
    // Never more than were used just before: where they come to nothing, a caller still gets half of the rate.
    const used = lease && clock() - lease.askedAt < LEASE_MS ? lease.used : 0
    const unused = lease && lease.left > 0 ? { ...lease.back, tokens: lease.left } : undefined
    if (lease) lease.left = 0
    return { hash, address, limit, wanted: answers.length, extra: Math.min(used, sizeOf(limit) - 1), unused }
  }

  async function ask(batch: [string, KeyQueue][]): Promise<void> {
    const askedAt = clock()
    const granted = await leaseTokens(
      sql,
      batch.map(([name, group]) => requestsOf(name, group)),
    )
    const used = granted.flatMap(dueToBeMarked)
    if (used.length > 0) await markUsed(sql, used)
    for (const [n, [name, group]] of batch.entries()) settle(name, group, granted[n]!, askedAt)
  }

  function settle(name: string, { answers }: KeyQueue, given: TokenGrant, askedAt: number): void {
    const { key, granted, waitSeconds, bucketKeys, fullAt } = given
    const served = Math.min(granted, answers.length)
    const left = granted - served
    const owner = key && { keyId: key.keyId, workspaceId: key.workspaceId }
    const quotas = withLeased(given.quotas, left)
    if (key && owner) {
      const until = askedAt + Math.min(LEASE_MS, key.validForMs)
      const refusedUntil = served < answers.length ? askedAt + waitSeconds * SECOND : 0
      leases.set(name, { owner, askedAt, used: served, left, until, refusedUntil, back: { bucketKeys, fullAt } })
    } else leases.delete(name)
    for (const [n, { resolve }] of answers.entries())
      resolve({ ...owner, waitSeconds: n < served ? 0 : waitSeconds, quotas })
  }

  async function run(): Promise<void> {
    while (waiting.size > 0) {
      const batch = [...waiting].slice(0, MAX_BATCH)
      for (const [name] of batch) waiting.delete(name)
      await ask(batch).catch((error: unknown) => {
        for (const [, { answers }] of batch) for (const { reject } of answers) reject(error)
      })
    }
    running = undefined
  }

  return {
    /** Takes the tokens of a request, or says how long to wait. */
    async use(request: KeyRequest): Promise<KeyUse> {
      const name = `${request.limit} ${request.hash}`
      const known = fromMemory(leases.get(name), request.limit, clock())
      if (known) return known
      return await new Promise((resolve, reject) => {
        const group = waiting.get(name) ?? { ...request, answers: [] }
        group.answers.push({ resolve, reject })
        waiting.set(name, group)
        running ??= run()
      })
    },
    /** Returns what was leased and not used. */
    async end(): Promise<void> {
      await running
      const unused = [...leases.values()].flatMap(({ left, back }) => (left > 0 ? { ...back, tokens: left } : []))
      leases.clear()
      if (unused.length > 0) await returnTokens(sql, unused)
    },
  }
}

/** Answers a request from what is leased, or refuses it while there can be no token; undefined where neither is known. */
function fromMemory(lease: Lease | undefined, limit: RequestLimit, now: number): KeyUse | undefined {
  if (lease && lease.left > 0 && now < lease.until) {
    lease.left -= 1
    lease.used += 1
    return { ...lease.owner, waitSeconds: 0, quotas: quotasOfLease(limit, lease.left) }
  }
  if (!lease || now >= lease.refusedUntil) return undefined
  // Others can only have taken more since.
  return { ...lease.owner, waitSeconds: (lease.refusedUntil - now) / SECOND, quotas: quotasOfLease(limit, 0) }
}

function dueToBeMarked({ key }: TokenGrant): string[] {
  if (!key) return []
  const { keyId, lastUsedAt, now } = key
  return !lastUsedAt || epochMs(now) - epochMs(lastUsedAt) >= LAST_USED_EVERY_MS ? [keyId] : []
}
