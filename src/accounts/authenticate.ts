import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import { bearerToken } from './keys/api-key-rules.ts'
import { createKeyLookups } from './keys/key-lookups.ts'
import { createKeyNetworks } from './keys/key-networks.ts'
import { createKeyUses } from './keys/key-uses.ts'
import { clientAddress, clientIp } from './limits/client-address-rules.ts'
import type { CountAddress } from './limits/count-address.ts'
import type { Quota, RequestLimit } from './limits/rate-limit-rules.ts'
import { rateLimited } from './limits/rate-limited.ts'
import { drawForSession } from './sessions/admit-session.ts'
import { findSignedIn } from './sessions/find-signed-in.ts'
import type { SignedIn } from './sessions/session-schema.ts'
import { createQuotaCounter } from './workspaces/keep-to-quota.ts'

type Credentials = {
  /** The `Authorization` header. */
  authorization?: string
  /** The token of the session's cookie. It counts where there is no such header. */
  session?: string
  ip: string
  /** What the request counts as. */
  limit: RequestLimit
}

/** What a request's buckets hold after it, and why it is refused; without a refusal it may pass. */
export type Admission = {
  quotas: Quota[]
  refusal?: AppError
  signedIn?: SignedIn
  /** The key that was sent, for the log. */
  caller?: { keyId?: string; workspaceId?: string }
}

/**
 * `authenticate` admits a request when it carries a key or a session and fits in the buckets of that. Only a
 * request that fails takes from its client address's bucket, so others on the same address never cost a valid key its
 * answer. `end` gives back what this process holds of the buckets.
 */
export function createAuthenticator(sql: Sql, countAddress: CountAddress, uses = createKeyUses(sql)) {
  const keys = createKeyLookups(sql)
  const mayUseFrom = createKeyNetworks(sql)
  const countInQuota = createQuotaCounter(sql)

  /** Counts a request that failed authentication, and refuses it for that or because there were too many. */
  async function refuse(address: string, failure: AppError): Promise<Admission> {
    const { waitSeconds, quotas } = await countAddress(address)
    return { quotas, refusal: waitSeconds > 0 ? rateLimited(waitSeconds) : failure }
  }

  async function admitSession(token: string, address: string, limit: RequestLimit): Promise<Admission> {
    const signedIn = await findSignedIn(sql, token)
    if (!signedIn) return refuse(address, sessionEnded())
    const { waitSeconds, quotas } = await drawForSession(sql, signedIn, { limit })
    return { quotas, signedIn, refusal: waitSeconds > 0 ? rateLimited(waitSeconds) : undefined }
  }

  async function authenticate({ authorization, session, ip, limit }: Credentials): Promise<Admission> {
    const key = bearerToken(authorization)
    const address = clientAddress(ip)
    if (key === undefined) {
      if (session !== undefined) return admitSession(session, address, limit)
      const message = `Send your API key in the header: Authorization: Bearer <API_KEY>. ${HOW_TO_MAKE_ONE}`
      return await refuse(address, new AppError('unauthorized', message))
    }
    const hash = sha256(key)
    if (!(await keys.exists(hash))) return await refuse(address, invalidKey())
    // Whoever has the key elsewhere takes no token of its workspace.
    if (!(await mayUseFrom(hash, ip))) return await refuse(address, addressNotAllowed(ip))
    const { keyId, workspaceId, waitSeconds, quotas } = await uses.use({ hash, address, limit })
    if (keyId === undefined) keys.forget(hash)
    const caller = { keyId, workspaceId }
    if (waitSeconds > 0) return { quotas, caller, refusal: rateLimited(waitSeconds) }
    if (workspaceId === undefined) return { quotas, caller, refusal: invalidKey() }
    if (limit === 'log') return { quotas, caller }
    const { quotas: own, refusal } = await countInQuota(workspaceId)
    return { quotas: [...quotas, ...own], caller, refusal }
  }
  return { authenticate, end: () => uses.end() }
}
export type Authenticator = ReturnType<typeof createAuthenticator>

const HOW_TO_MAKE_ONE =
  'Members create one in the app under API keys, operators with: npx pricetape key create --name NAME'
export const INVALID_KEY_MESSAGE = `This API key is wrong, deleted or expired. ${HOW_TO_MAKE_ONE}`

const invalidKey = (): AppError => new AppError('invalid_api_key', INVALID_KEY_MESSAGE)

const addressNotAllowed = (ip: string): AppError =>
  new AppError(
    'address_not_allowed',
    `This API key may not be used from ${clientIp(ip)?.toString() ?? 'an unknown address'}. Members of its workspace change its networks in the app under API keys, operators with: npx pricetape key allow`,
  )

export const sessionEnded = (): AppError => new AppError('unauthorized', 'Your session has ended: sign in again.')
