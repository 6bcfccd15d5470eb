import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import { createAddressBuckets } from './address-buckets.ts'
import { bearerToken } from './api-key-rules.ts'
import { useApiKey } from './api-key-store.ts'
import { clientAddress } from './client-address-rules.ts'
import { createKeyLookups } from './key-lookups.ts'
import { emptyQuota, type Quota } from './rate-limit-rules.ts'
import { drawTokens } from './rate-limit-store.ts'
import { rateLimited } from './rate-limited.ts'

type Credentials = {
  /** The `Authorization` header. */
  authorization?: string
  ip: string
  /** The request also counts against the price history's own limit. */
  history: boolean
}

/** What a request's buckets hold after it, and why it is refused; without a refusal it may pass. */
export type Admission = { quotas: Quota[]; refusal?: AppError }

/**
 * Returns a function that admits a request when it carries a key and fits in the buckets of that key. Only a request
 * that fails takes from its client address's bucket, so others on the same address never cost a valid key its answer.
 */
export function createAuthenticator(sql: Sql) {
  const addresses = createAddressBuckets()
  const keys = createKeyLookups(sql)

  /** Counts a request that failed authentication, and refuses it for that or because there were too many. */
  async function refuse(address: string, failure: AppError): Promise<Admission> {
    const waitSeconds = addresses.take(address)
    if (waitSeconds > 0) return { quotas: [emptyQuota('address')], refusal: rateLimited(waitSeconds) }
    const drawn = await drawTokens(sql, [{ kind: 'address', owner: address }])
    return { quotas: drawn.quotas, refusal: drawn.waitSeconds > 0 ? rateLimited(drawn.waitSeconds) : failure }
  }

  return async function authenticate({ authorization, ip, history }: Credentials): Promise<Admission> {
    const key = bearerToken(authorization)
    const address = clientAddress(ip)
    if (key === undefined) {
      const message = `Send your API key in the header: Authorization: Bearer <API_KEY>. ${HOW_TO_MAKE_ONE}`
      return await refuse(address, new AppError('unauthorized', message))
    }
    const hash = sha256(key)
    if (!(await keys.exists(hash))) return await refuse(address, invalidKey())
    const { keyId, waitSeconds, quotas } = await useApiKey(sql, { key, address, history })
    if (keyId === undefined) keys.forget(hash)
    if (waitSeconds > 0) return { quotas, refusal: rateLimited(waitSeconds) }
    return { quotas, refusal: keyId === undefined ? invalidKey() : undefined }
  }
}
export type Authenticate = ReturnType<typeof createAuthenticator>

const HOW_TO_MAKE_ONE = 'The operator of this service makes one with: npx pricetape key create --name NAME'
export const INVALID_KEY_MESSAGE = `This API key is wrong, deleted or expired. ${HOW_TO_MAKE_ONE}`

const invalidKey = (): AppError => new AppError('invalid_api_key', INVALID_KEY_MESSAGE)
