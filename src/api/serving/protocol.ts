import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../../lib/errors.ts'
import { type AllowedMethods, rememberPaths } from '../known-paths.ts'
import type { Api } from '../route.ts'

/** Room for the longest cursor we make, and less than may arrive at all. */
const MAX_ADDRESS_CHARACTERS = 34_000
/** An address is quoted in messages so far. */
const QUOTED_CHARACTERS = 200

/** Begins an address as it is sent to a proxy (RFC 9112, absolute-form). */
const ORIGIN = /^https?:\/\/[^/?]*/i

type SendUnknown = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply | undefined>

/** Answers what HTTP itself has a word for, before any route, key or body is looked at. */
export function protocolRules(api: Api, sendUnknown: SendUnknown): void {
  const allowedMethods = rememberPaths(api)
  const refuseUnknown = (request: FastifyRequest, reply: FastifyReply) => unknownRoute(request, reply, allowedMethods)
  api.addHook('onRequest', async (request, reply) => {
    const { host, expect } = request.headers
    if (host === undefined && request.raw.httpVersion === '1.1') {
      throw new AppError('invalid_query', 'Send a Host header, as HTTP/1.1 requires.')
    }
    if (expect !== undefined && expect.toLowerCase() !== '100-continue') {
      throw new AppError('expectation_failed', 'Leave the Expect header out: only 100-continue is known here.')
    }
    if (request.url.length > MAX_ADDRESS_CHARACTERS) {
      throw new AppError('address_too_long', 'This address is too long: send fewer or shorter parameters.')
    }
    if (!request.is404) return
    const page = await sendUnknown(request, reply)
    if (!page) throw refuseUnknown(request, reply)
    return page
  })
  // The hook answers first. Without a handler of its own there would be no hook for unknown paths.
  api.setNotFoundHandler((request, reply) => {
    throw refuseUnknown(request, reply)
  })
}

function unknownRoute({ url, method }: FastifyRequest, reply: FastifyReply, allowedMethods: AllowedMethods): AppError {
  const path = url.replace(ORIGIN, '').split('?')[0]!
  const quoted = path.slice(0, QUOTED_CHARACTERS)
  const allow = allowedMethods(path)
  if (allow === undefined) return new AppError('not_found', `There is no ${quoted}: /docs lists what there is.`)
  reply.header('allow', allow)
  return new AppError('method_not_allowed', `${quoted} does not know ${method}: send one of ${allow}.`)
}
