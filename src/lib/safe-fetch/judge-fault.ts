import type { Endpoint } from './dial/connections.ts'
import { findRoutes, type Routes, routeError } from './dial/routes.ts'
import type { Target } from './dial/target.ts'
import { ConnectError, faultOf, needsRoutes, TO_PROXY } from './fault.ts'
import { type Fault, platform } from './outcome.ts'

const BEFORE_SENDING = new Set(['connecting', 'TLS handshake'])

type BrokenRequest = { phase: string; error?: Error; fault?: Fault }
export type JudgeFault = (broken: BrokenRequest, target: Target, endpoint: Endpoint) => Promise<Fault | undefined>

/**
 * Makes the judge of broken requests: whether the other side failed, or this process and its machine.
 * @param proxied requests go through an outbound proxy: this machine needs no route to their hosts
 */
export function createJudgeFault({ proxied = false } = {}): JudgeFault {
  /** Families that have had a route since this process began: one that is missing now was lost. */
  const before: Routes = { v4: false, v6: false }
  const first = look()

  async function look(): Promise<Routes> {
    const now = await findRoutes()
    before.v4 ||= now.v4
    before.v6 ||= now.v6
    return now
  }

  return async ({ phase, error, fault }, { addresses }, endpoint) => {
    if (!error && !fault) return undefined
    if (endpoint.closed) return platform('stopped before the answer came')
    if (fault?.kind === 'platform') return fault
    await first
    if (error && !needsRoutes(error)) return faultOf(error, phase)
    if (error) return faultOf(error, phase, { now: await look(), before })
    if (proxied) return phase === TO_PROXY ? platform('the outbound proxy did not answer in time') : fault
    // Time ran out. Without a route to any of its addresses the host had no chance to answer.
    const errors = await Promise.all(addresses.map(({ address }) => missingRoute(address)))
    const missing = errors.filter((item) => item !== undefined)
    if (missing.length < addresses.length) return fault
    const judged = faultOf(new ConnectError(missing), phase, { now: await look(), before })
    if (BEFORE_SENDING.has(phase)) return judged
    return { ...judged, message: `${judged.message}. The request was sent, and no answer could arrive` }
  }
}

async function missingRoute(address: string) {
  const code = await routeError(address)
  return code === undefined ? undefined : Object.assign(new Error(code), { code, address })
}
