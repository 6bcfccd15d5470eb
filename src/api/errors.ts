import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError, type ErrorBody } from '../lib/errors.ts'

/** The `retry-after` of an answer given while the database is down. */
const RETRY_SECONDS = 5

/** Errors that say PostgreSQL is away, starting, full or too busy: the request may be sent again later. */
const DATABASE_AWAY =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ETIMEDOUT|ENOENT$|CONNECTION_|CONNECT_TIMEOUT|08|53|57P0|57014$|55P03$|40P01$|25P04$)/

/** Any fault as the product's error; what is not the client's doing keeps its details to the log. */
function asAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (DATABASE_AWAY.test(code)) {
    const message = 'The service cannot answer at the moment. Wait retry-after seconds, then send the request again.'
    return new AppError('unavailable', message, { retryAfter: RETRY_SECONDS, cause: error })
  }
  if (code.startsWith('FST_') && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_query', `The request is malformed: ${(error as Error).message}.`, { cause: error })
  }
  const message = `Something failed on our side. Try again later; if it goes on, quote request ${requestId}.`
  return new AppError('internal_error', message, { cause: error })
}

/** Sends every error in the one shape of the specification. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = asAppError(error, request.id)
  if (known.status >= 500) request.log.error({ err: error, requestId: request.id, path: request.routeOptions.url })
  reply.header('cache-control', 'no-store')
  if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
  if (known.status === 401) reply.header('www-authenticate', 'Bearer')
  reply.code(known.status).type('application/json; charset=utf-8').send(JSON.stringify(known.toBody()))
}

/** The answer to a path that is not there. */
export function notFound(request: FastifyRequest): never {
  const path = request.url.split('?')[0]!.slice(0, 200)
  throw new AppError('not_found', `There is no ${request.method} ${path}: /docs lists what there is.`)
}

/** Why a request never got as far as a route, by the code Node gives. */
const UNREADABLE: Record<string, [status: string, message: string]> = {
  HPE_HEADER_OVERFLOW: [
    '400 Bad Request',
    'The address and headers of this request are too long: send fewer or shorter parameters.',
  ],
  ERR_HTTP_REQUEST_TIMEOUT: ['408 Request Timeout', 'The request did not arrive in time: send it again.'],
}
const NOT_HTTP = ['400 Bad Request', 'This is not an HTTP request the service can read.'] as const

/** Returns the answer to a request that cannot be read, as it goes over the wire. */
export function unreadableRequest(code: string | undefined): string {
  const [status, message] = UNREADABLE[code ?? ''] ?? NOT_HTTP
  const body: ErrorBody = { error: { code: 'invalid_query', message } }
  const text = JSON.stringify(body)
  return [
    `HTTP/1.1 ${status}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(text)}`,
    'connection: close',
    '',
    text,
  ].join('\r\n')
}
