import { randomUUID } from 'node:crypto'
import { claimSource, releaseSource, renewClaim, type SourceClaim } from '../catalog/sources/source-store.ts'
import { type Instant, MINUTE, plus, SECOND } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'

/** A claim lapses this soon after its process died: longer than a check collects, so that its clock is near enough. */
const CLAIM_MS = 2 * MINUTE
const RENEW_MS = 15 * SECOND

/** A claimed source while it is being read. */
export type Claim = SourceClaim & {
  /** Aborts when the caller's signal does, and when the claim was lost to another worker. */
  signal: AbortSignal
}

/**
 * Runs `work` while no other worker collects the source. The claim is renewed as long as this process lives; one that
 * ends without giving the source back is seen by the next worker that claims it.
 * @returns undefined while another worker has it
 */
export async function withClaim<T>(
  sql: Sql,
  source: string,
  now: Instant,
  outer: AbortSignal | undefined,
  work: (claim: Claim) => Promise<T>,
): Promise<T | undefined> {
  const started = performance.now()
  const id = randomUUID()
  const until = () => plus(now, Math.round(performance.now() - started) + CLAIM_MS)
  const claimed = await claimSource(sql, { source, id, now, until: until() })
  if (!claimed) return undefined
  const lost = new AbortController()
  const renew = async () => {
    if (!(await renewClaim(sql, source, id, until()))) lost.abort(new Error(`${source} was claimed by another worker`))
  }
  // A renewal that fails is made up for by the next one; without a database nothing is recorded anyway.
  const timer = setInterval(() => void renew().catch(() => {}), RENEW_MS)
  try {
    return await work({ ...claimed, signal: outer ? AbortSignal.any([outer, lost.signal]) : lost.signal })
  } finally {
    clearInterval(timer)
    // Recording an outcome has given it back already; then this changes nothing.
    await releaseSource(sql, source, id)
  }
}
