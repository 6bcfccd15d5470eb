import { compile } from '@fastify/proxy-addr'
import Fastify, { type FastifyBaseLogger, LogController } from 'fastify'
import { createAddressCounter } from './accounts/limits/count-address.ts'
import { answerError, answerUnreadable } from './api/errors.ts'
import { healthRoutes } from './api/health.ts'
import { homeRoute, sendUnknownPage } from './api/home.ts'
import { readApi } from './api/index.ts'
import { llmsRoute } from './api/llms.ts'
import { publicLog } from './api/log.ts'
import { reference } from './api/openapi/openapi.ts'
import type { Api } from './api/route.ts'
import { CONNECTION_LIMITS, type ConnectionLimits, PROXY_KEEP_ALIVE_MS } from './api/serving/connection-rules.ts'
import { Connections } from './api/serving/connections.ts'
import { protocolRules } from './api/serving/protocol.ts'
import { recordRequests } from './api/serving/record-requests.ts'
import { requestId, requestIds } from './api/serving/request-id.ts'
import { securityHeaders } from './api/serving/security-headers.ts'
import { createSender } from './api/serving/send-answer.ts'
import { traceRequests } from './api/serving/trace-requests.ts'
import { appRoutes } from './app/index.ts'
import type { AppWorkflows } from './app/tools.ts'
import type { Context } from './context.ts'
import { AppError, OperatorError } from './lib/errors.ts'
import type { createIsolation } from './lib/isolation/isolation.ts'
import type { Sql } from './lib/sql.ts'
import { appPages, type SendPage } from './pages/app-pages.ts'
import { atomFeeds } from './pages/atom.ts'
import { DOCUMENT_PATH, documentPages } from './pages/documents.ts'
import { linkPreviews } from './pages/previews.ts'
import { siteMap } from './pages/site-map.ts'
import { unsubscribePages } from './pages/unsubscribe.ts'

/** A body is read no further than this where its route says nothing else. */
const MAX_BODY_BYTES = 16 * 1024

type Needs = Pick<Context, 'sql' | 'config' | 'log' | 'metrics'> & {
  /** A replica of the database, for pages of history. */
  replica?: Sql
  /** The built app; absent where it is not built. */
  appFolder?: string
  /** Passes changes of webhooks on to their workflows, and starts those that read a source; without it the next check does. */
  workflows?: AppWorkflows
  /** Makes the pools in which foreign bytes are read: one for each part of the server. */
  createReaders?: typeof createIsolation
  /** Why nothing but /healthz can be answered now; undefined when everything can. */
  unavailable?: () => string | undefined
}

/** How long a client is asked to wait while the service is starting. */
const START_RETRY_SECONDS = 2

/**
 * The HTTP server: the read API, its reference, the routes of the app, the pages that are public, health. Not
 * listening yet. Closing it lets answers under way end, for as long as `limits.closeMs` at most.
 * @throws OperatorError when a trusted proxy is not an address.
 */
export async function buildServer(ctx: Needs, limits: Partial<ConnectionLimits> = {}): Promise<Api> {
  const { trustedProxies } = ctx.config
  const isTrusted = readTrustedProxies(trustedProxies)
  const keepAliveMs = trustedProxies ? PROXY_KEEP_ALIVE_MS : CONNECTION_LIMITS.keepAliveMs
  const connections = new Connections({ ...CONNECTION_LIMITS, keepAliveMs, ...limits }, isTrusted)
  const server = createServer(ctx, connections, isTrusted)
  requestIds(server)
  if (ctx.config.tracing) traceRequests(server)
  recordRequests(server, ctx.metrics)
  refuseWhileClosing(server, connections)
  server.addHook('onRequest', async (request) => {
    const reason = request.url === '/healthz' ? undefined : ctx.unavailable?.()
    if (reason !== undefined) throw new AppError('unavailable', reason, { retryAfter: START_RETRY_SECONDS })
  })
  let sendPage: SendPage | undefined
  protocolRules(server, (request, reply) => sendUnknownPage(request, reply, sendPage))
  server.setErrorHandler(answerError)
  securityHeaders(server, ctx.config)
  const sendAnswer = createSender()
  await reference(server, ctx, sendAnswer)
  healthRoutes(server, ctx.sql)
  const origin = originOf(ctx.config)
  const previews = ctx.config.publicPages ? linkPreviews({ sql: ctx.sql, origin, sendAnswer }) : undefined
  if (previews) await server.register(previews.images)
  const { publicPages } = ctx.config
  await server.register(siteMap({ sql: ctx.sql, origin, publicPages, sendAnswer }))
  if (ctx.appFolder !== undefined) sendPage = appPages(server, ctx.appFolder, sendAnswer, previews?.describe)
  homeRoute(server, sendPage)
  llmsRoute(server, sendAnswer)
  const countAddress = createAddressCounter(ctx.sql)
  await server.register(readApi(ctx, sendAnswer, countAddress))
  await server.register(publicLog(ctx.sql, sendAnswer))
  await server.register(appRoutes(ctx, sendAnswer, countAddress))
  await server.register(atomFeeds({ sql: ctx.sql, origin, sendAnswer, countAddress }))
  await server.register(unsubscribePages({ sql: ctx.sql, countAddress }))
  if (ctx.config.publicPages)
    await server.register(documentPages({ ...ctx, origin, publicUrl: ctx.config.publicUrl, sendAnswer, sendPage }))
  else if (sendPage) server.get(DOCUMENT_PATH, { schema: { hide: true } }, sendPage)
  return server
}

/** Never the Host header: what a page says of its address must not be its visitor's choice. */
const originOf = ({ publicUrl, port }: Needs['config']): string =>
  publicUrl ? new URL(publicUrl).origin : `http://localhost:${port}`

function createServer({ log }: Needs, connections: Connections, isTrusted: (address: string) => boolean): Api {
  return Fastify({
    loggerInstance: log as FastifyBaseLogger,
    logController: new LogController({ disableRequestLogging: true, requestIdLogLabel: 'requestId' }),
    genReqId: requestId,
    trustProxy: isTrusted,
    bodyLimit: MAX_BODY_BYTES,
    return503OnClosing: false,
    frameworkErrors: answerUnreadable,
    serverFactory: (handler) => connections.createServer(handler),
  }) as unknown as Api
}

/** @throws OperatorError */
function readTrustedProxies(given: string[] | undefined): (address: string) => boolean {
  if (!given) return () => false
  try {
    const isTrusted = compile(given)
    return (address) => isTrusted(address, 0)
  } catch (cause) {
    throw new OperatorError(`PRICETAPE_TRUSTED_PROXIES must list addresses or ranges, not ${given.join(',')}.`, {
      cause,
    })
  }
}

function refuseWhileClosing(server: Api, connections: Connections): void {
  let closing = false
  server.addHook('preClose', async () => {
    closing = true
    connections.close()
  })
  server.addHook('onRequest', async () => {
    if (closing)
      throw new AppError('unavailable', 'This server is stopping: send the request again.', { retryAfter: 1 })
  })
  server.addHook('onSend', async (_request, reply) => {
    // Otherwise a client's kept connection would hold the process up after its last answer.
    if (closing) reply.header('connection', 'close')
  })
}
