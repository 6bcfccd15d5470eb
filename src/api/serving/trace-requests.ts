import { context, ROOT_CONTEXT, type Span, trace } from '@opentelemetry/api'
import type { FastifyRequest } from 'fastify'
import { SpanKind, tracer } from '../../lib/spans.ts'
import type { Api } from '../route.ts'

/**
 * Makes each request a span around its statements. A span has the pattern of the route, never the address. What a client
 * sends as its own trace is not believed.
 */
export function traceRequests(api: Api): void {
  const spans = new WeakMap<FastifyRequest, Span>()
  const inside = (request: FastifyRequest, next: () => void): void => {
    const span = spans.get(request)
    if (span) context.with(trace.setSpan(ROOT_CONTEXT, span), next)
    else next()
  }
  api.addHook('onRequest', (request, _reply, next) => {
    const route = request.routeOptions.url ?? 'none'
    const attributes = {
      'http.request.method': request.method,
      'http.route': route,
      'pricetape.request_id': request.id,
    }
    const span = tracer().startSpan(`${request.method} ${route}`, { kind: SpanKind.SERVER, attributes }, ROOT_CONTEXT)
    spans.set(request, span)
    inside(request, next)
  })
  // The body came in the context of its connection.
  api.addHook('preValidation', (request, _reply, next) => inside(request, next))
  api.addHook('onResponse', async (request, reply) => {
    const span = spans.get(request)
    span?.setAttribute('http.response.status_code', reply.statusCode)
    if (request.errorCode) span?.setAttribute('error.type', request.errorCode)
    span?.end()
  })
}
