import type { FastifyRequest } from 'fastify'
import type { AddressGuard } from '../accounts/address-guard.ts'
import { bearerToken } from '../accounts/api-key-rules.ts'
import { authenticate } from '../accounts/api-key-store.ts'
import { clientAddress } from '../accounts/client-address-rules.ts'
import { retryAfter } from '../accounts/rate-limit-rules.ts'
import { takeTokens } from '../accounts/rate-limit-store.ts'
import { AppError } from '../lib/errors.ts'
import { sha256 } from '../lib/hash.ts'
import type { Sql } from '../lib/sql.ts'

/**
 * Lets a request pass that carries a key and fits in its buckets. A failing one takes from its client address's bucket,
 * on this node first, so that a flood never reaches the database.
 * @throws AppError unauthorized, invalid_api_key or rate_limited
 */
export async function requireApiKey(sql: Sql, guard: AddressGuard, request: FastifyRequest): Promise<void> {
  const key = bearerToken(request.headers.authorization)
  const address = clientAddress(request.ip)
  if (key === undefined) {
    limited(guard.reserve(address))
    limited(await takeTokens(sql, [{ kind: 'address', of: address }]))
    throw new AppError('unauthorized', 'Send your API key in the header: Authorization: Bearer <API_KEY>.')
  }
  const hash = sha256(key)
  // Nothing is awaited between finding no lookup and starting one: a burst of one new key costs one token.
  const underWay = guard.knows(hash) ? undefined : guard.lookupUnderWay(hash)
  if (underWay) await underWay
  const known = guard.knows(hash)
  if (!known) limited(guard.reserve(address))
  const history = request.routeOptions.config.history === true
  const result = await guard.lookup(hash, async () => {
    const found = await authenticate(sql, { key, address, history })
    if (found.keyId === undefined) guard.failed(hash)
    else guard.succeeded(address, hash, !known)
    return found
  })
  limited(result.waitSeconds)
  if (result.keyId === undefined) {
    throw new AppError('invalid_api_key', 'This API key is wrong or deleted: create one in the app.')
  }
}

function limited(waitSeconds: number): void {
  if (waitSeconds === 0) return
  const seconds = retryAfter(waitSeconds)
  throw new AppError('rate_limited', `Too many requests: wait ${seconds} s, then send this request again.`, {
    retryAfter: seconds,
  })
}
