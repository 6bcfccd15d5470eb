import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'
import { createAddressBuckets } from './address-buckets.ts'
import { bearerToken } from './api-key-rules.ts'
import { useApiKey } from './api-key-store.ts'
import { clientAddress } from './client-address-rules.ts'
import { createKeyLookups } from './key-lookups.ts'
import { retryAfter } from './rate-limit-rules.ts'
import { takeTokens } from './rate-limit-store.ts'

type Credentials = {
  /** The `Authorization` header. */
  authorization?: string
  ip: string
  /** The request also counts against the price history's own limit. */
  history: boolean
}

/**
 * Returns a function that lets a request pass when it carries a key and fits in the buckets of that key. Only a request
 * that fails takes from its client address's bucket, so others on the same address never cost a valid key its answer.
 */
export function createAuthenticator(sql: Sql) {
  const addresses = createAddressBuckets()
  const keys = createKeyLookups(sql)

  /** Counts a request that failed authentication. @throws AppError rate_limited */
  async function countFailure(address: string): Promise<void> {
    refuseUntil(addresses.take(address))
    refuseUntil(await takeTokens(sql, [{ kind: 'address', owner: address }]))
  }

  /** @throws AppError unauthorized, invalid_api_key or rate_limited */
  return async function authenticate({ authorization, ip, history }: Credentials): Promise<void> {
    const key = bearerToken(authorization)
    const address = clientAddress(ip)
    if (key === undefined) {
      await countFailure(address)
      throw new AppError(
        'unauthorized',
        `Send your API key in the header: Authorization: Bearer <API_KEY>. ${HOW_TO_MAKE_ONE}`,
      )
    }
    const hash = sha256(key)
    if (!(await keys.exists(hash))) {
      await countFailure(address)
      throw invalidKey()
    }
    const { keyId, waitSeconds } = await useApiKey(sql, { key, address, history })
    if (keyId === undefined) keys.forget(hash)
    refuseUntil(waitSeconds)
    if (keyId === undefined) throw invalidKey()
  }
}
export type Authenticate = ReturnType<typeof createAuthenticator>

const HOW_TO_MAKE_ONE = 'Whoever runs this service makes one with: npx pricetape key create --name NAME'

const invalidKey = (): AppError =>
  new AppError('invalid_api_key', `This API key is wrong, deleted or expired. ${HOW_TO_MAKE_ONE}`)

/** @throws AppError rate_limited unless there is nothing to wait for */
function refuseUntil(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const seconds = retryAfter(waitSeconds)
  throw new AppError('rate_limited', `Too many requests: wait ${seconds} s, then send this request again.`, {
    retryAfter: seconds,
  })
}
