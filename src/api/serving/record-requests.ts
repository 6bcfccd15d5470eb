import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ErrorCode } from '../../lib/errors.ts'
import { isId } from '../../lib/ids.ts'
import { SECOND } from '../../lib/instant.ts'
import type { Metrics } from '../../monitoring/metrics/metrics.ts'
import type { Api } from '../route.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The API key that sent the request, and its workspace. */
    caller?: { keyId?: string; workspaceId?: string }
    /** The code of the error that it is answered with. */
    errorCode?: ErrorCode
  }
}

/** Probes come every few seconds and files come by the dozen: a log of them hides what happens. */
const FREQUENT = /^\/(healthz|readyz|assets|favicon)|\*/
const METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const UNKNOWN_ROUTE = 'none'

/**
 * Writes down every request when it is answered: which route, who sent it, what it got and after how long. Of the address
 * only the pattern of its route is kept, because paths, queries and headers hold keys and links.
 */
export function recordRequests(api: Api, metrics: Metrics | undefined): void {
  api.addHook('onResponse', async (request, reply) => {
    const route = request.routeOptions.url ?? UNKNOWN_ROUTE
    if (metrics) count(metrics, route, request, reply)
    const level = FREQUENT.test(route) ? 'debug' : 'info'
    request.log[level](lineOf(route, request, reply), 'request')
  })
}

function count(metrics: Metrics, route: string, { method, errorCode }: FastifyRequest, reply: FastifyReply): void {
  const known = METHODS.has(method) ? method : 'other'
  const labels = { method: known, route, status: reply.statusCode }
  metrics.requestSeconds.observe(labels, reply.elapsedTime / SECOND)
  if (errorCode) metrics.requestErrors.inc({ route, code: errorCode })
}

function lineOf(route: string, request: FastifyRequest, reply: FastifyReply) {
  const { method, caller, actor, errorCode, params } = request as FastifyRequest & { actor?: Actor }
  return {
    method,
    route,
    status: reply.statusCode,
    durationMs: Math.round(reply.elapsedTime * 10) / 10,
    ...(errorCode && { code: errorCode }),
    ...caller,
    ...(actor && { accountId: actor.accountId }),
    ...(actor?.workspaceId && { workspaceId: actor.workspaceId }),
    ...namedIds(params as Record<string, unknown> | undefined),
  }
}

/** Who acts in the app. */
type Actor = { accountId: string; workspaceId?: string }

/** Ids in the path that say what the request was about. Other parts of a path may be secrets. */
const namedIds = (params: Record<string, unknown> = {}) =>
  Object.fromEntries(
    ['webhookId', 'deliveryId'].flatMap((name) => (isId(params[name] as string) ? [[name, params[name]]] : [])),
  )
