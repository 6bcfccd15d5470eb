import type { IncomingMessage } from 'node:http'
import { v7 } from '../../lib/ids.ts'
import type { Api } from '../route.ts'

/** An id of a client or a proxy that can be logged and found again as it is. */
const USABLE = /^[A-Za-z0-9._-]{1,64}$/

/** Returns the id of a request: the one it brings in `request-id`, otherwise a new one. */
export function requestId({ headers }: IncomingMessage): string {
  const given = headers['request-id']
  return typeof given === 'string' && USABLE.test(given) ? given : v7()
}

/** Puts the request's id on its answer. Log lines about the request carry it as `requestId`. */
export function requestIds(api: Api): void {
  api.addHook('onRequest', async (request, reply) => {
    reply.header('request-id', request.id)
  })
}
