import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { v7 } from '../lib/ids.ts'
import { SECURITY_HEADERS } from './serving/security-headers.ts'

/** The `retry-after` of an answer given while the database is down. */
const RETRY_SECONDS = 5

/** Errors that say PostgreSQL is away, starting, full, too busy or read-only: the request may be sent again later. */
const DATABASE_AWAY =
  /^(ECONN|ENOTFOUND|EAI_AGAIN|EPIPE|EHOSTUNREACH|ETIMEDOUT|ENOENT$|CONNECTION_|CONNECT_TIMEOUT|08|53|57P0|57014$|55P03$|40P01$|25P04$|25006$)/

/** A standby, or default_transaction_read_only: /readyz says what to do, so a log line needs no stack. */
const isReadOnly = (error: unknown): boolean => (error as { code?: string }).code === '25006'

/** Any fault as the product's error; what is not the client's doing keeps its details to the log. */
function asAppError(error: unknown, requestId: string): AppError {
  if (error instanceof AppError) return error
  const { code = '', statusCode = 500 } = error as Partial<FastifyError>
  if (DATABASE_AWAY.test(code)) {
    const message = 'The service cannot answer at the moment. Wait retry-after seconds, then send the request again.'
    return new AppError('unavailable', message, { retryAfter: RETRY_SECONDS, cause: error })
  }
  if (code.startsWith('FST_ERR_CTP_')) {
    const message = `The body cannot be read: ${(error as Error).message}. Send JSON with content-type: application/json.`
    return new AppError('invalid_body', message, { cause: error })
  }
  if (code.startsWith('FST_') && statusCode >= 400 && statusCode < 500) {
    return new AppError('invalid_query', `The request is malformed: ${(error as Error).message}.`, { cause: error })
  }
  const message = `Something failed on our side. Try again later; if it goes on, quote request ${requestId}.`
  return new AppError('internal_error', message, { cause: error })
}

/** An error that we chose to answer with is not a fault to look into: its message says all. */
function logFault(error: unknown, known: AppError, { log, routeOptions }: FastifyRequest): void {
  const path = routeOptions.url
  if (known === error) log.warn({ path }, known.message)
  else if (isReadOnly(error)) log.error({ path, reason: 'database_read_only' }, 'the database is read-only')
  else log.error({ err: error, path })
}

/** Logs what is our fault, sets the headers and the status of the answer, and returns the product's error. */
export function reportError(error: unknown, request: FastifyRequest, reply: FastifyReply): AppError {
  const known = asAppError(error, request.id)
  if (known.status >= 500) logFault(error, known, request)
  request.errorCode = known.code
  reply.code(known.status).header('cache-control', 'no-store')
  if (known.retryAfter !== undefined) reply.header('retry-after', String(known.retryAfter))
  if (known.status === 401) reply.header('www-authenticate', 'Bearer')
  return known
}

/** Sends every error in the one shape of the specification. */
export function answerError(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  const known = reportError(error, request, reply)
  reply.type('application/json; charset=utf-8').send(JSON.stringify(known.toBody()))
}

/** Answers a request whose address the framework cannot read: no hook has run for it. */
export function answerUnreadable(error: unknown, request: FastifyRequest, reply: FastifyReply): void {
  reply.headers(SECURITY_HEADERS).header('request-id', request.id)
  answerError(error, request, reply)
}

/** Why a request never got as far as the framework, by the code Node gives. */
const UNREADABLE: Record<string, AppError> = {
  HPE_HEADER_OVERFLOW: new AppError(
    'headers_too_long',
    'The address and headers of this request are too long: send fewer or shorter parameters.',
  ),
  ERR_HTTP_REQUEST_TIMEOUT: new AppError('request_timeout', 'The request did not arrive in time: send it again.'),
}
const NOT_HTTP = new AppError('invalid_query', 'This is not an HTTP request the service can read.')

/** Returns the answer to a request that cannot be read, as it goes over the wire. */
export const unreadableRequest = (code: string | undefined): string => rawAnswer(UNREADABLE[code ?? ''] ?? NOT_HTTP)

/** Returns the answer to CONNECT, as it goes over the wire: this is not a proxy. */
export const connectRefused = (): string =>
  rawAnswer(new AppError('method_not_allowed', 'This is not a proxy: send GET or HEAD.'), { allow: 'GET, HEAD' })

const PHRASES: Record<number, string> = {
  400: 'Bad Request',
  405: 'Method Not Allowed',
  408: 'Request Timeout',
  431: 'Request Header Fields Too Large',
}

function rawAnswer(error: AppError, more: Record<string, string> = {}): string {
  const text = JSON.stringify(error.toBody())
  const headers = {
    ...SECURITY_HEADERS,
    'request-id': v7(),
    'cache-control': 'no-store',
    'content-type': 'application/json; charset=utf-8',
    'content-length': String(Buffer.byteLength(text)),
    connection: 'close',
    ...more,
  }
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
  return [`HTTP/1.1 ${error.status} ${PHRASES[error.status]}`, ...lines, '', text].join('\r\n')
}
