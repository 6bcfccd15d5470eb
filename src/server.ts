import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { answerError, notFound, unreadableRequest } from './api/errors.ts'
import { healthRoutes } from './api/health.ts'
import { homeRoute } from './api/home.ts'
import { readApi } from './api/index.ts'
import { reference } from './api/openapi.ts'
import type { Api } from './api/route.ts'
import { securityHeaders } from './api/security-headers.ts'
import type { Context } from './context.ts'
import { AppError, OperatorError } from './lib/errors.ts'
import { v7 } from './lib/ids.ts'
import { SECOND } from './lib/instant.ts'

/** A request's head and body have to arrive within this time. */
const REQUEST_TIMEOUT_MS = 30 * SECOND
/** Room for the longest cursor we hand out, beside every other header. */
const MAX_HEADER_BYTES = 48 * 1024

type Needs = Pick<Context, 'sql' | 'config' | 'log'>

/**
 * The HTTP server: the read API, its reference, health. Not listening yet; closing it lets requests in hand finish.
 * @throws OperatorError when a trusted proxy is not an address.
 */
export async function buildServer(ctx: Needs): Promise<Api> {
  const server = createServer(ctx)
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
  })
  server.addHook('onRequest', async () => {
    if (closing)
      throw new AppError('unavailable', 'This server is stopping: send the request again.', { retryAfter: 1 })
  })
  server.addHook('onSend', async (_request, reply) => {
    // Else a client's kept connection would hold the process up after its last answer.
    if (closing) reply.header('connection', 'close')
  })
  server.setErrorHandler(answerError)
  server.setNotFoundHandler(notFound)
  securityHeaders(server, ctx.config)
  await reference(server, ctx.config)
  healthRoutes(server, ctx.sql)
  homeRoute(server)
  await server.register(readApi(ctx))
  return server
}

function createServer({ config, log }: Needs): Api {
  try {
    return Fastify({
      loggerInstance: log as FastifyBaseLogger,
      logController: new LogController({ disableRequestLogging: true }),
      genReqId: () => v7(),
      trustProxy: config.trustedProxies ?? false,
      requestTimeout: REQUEST_TIMEOUT_MS,
      forceCloseConnections: 'idle',
      return503OnClosing: false,
      frameworkErrors: answerError,
      http: { maxHeaderSize: MAX_HEADER_BYTES },
      clientErrorHandler: (error, socket) => {
        if (socket.writable) socket.end(unreadableRequest(error.code))
      },
    }) as unknown as Api
  } catch (cause) {
    if (!config.trustedProxies) throw cause
    const given = config.trustedProxies.join(',')
    throw new OperatorError(`PRICETAPE_TRUSTED_PROXIES must list addresses or ranges, not ${given}.`, { cause })
  }
}
