import type { FastifyReply } from 'fastify'
import type { Sql } from '../lib/sql.ts'
import { type HealthAnswer, healthAnswer, sharedHealth } from '../monitoring/answer-health.ts'
import type { Api } from './route.ts'

/**
 * /healthz: this process answers. /readyz: everything the installation promises is done, or what does not work and why.
 * /readyz/reads: this node can serve reads, so a load balancer may send it requests.
 */
export function healthRoutes(api: Api, sql: Sql): void {
  const hidden = { schema: { hide: true } }
  const health = sharedHealth(sql)
  api.get('/healthz', hidden, async () => ({ status: 'ok' }))
  api.get('/readyz', hidden, async (_request, reply) => send(reply, healthAnswer(await health(), 'ready')))
  api.get('/readyz/reads', hidden, async (_request, reply) => send(reply, healthAnswer(await health(), 'reads')))
}

function send(reply: FastifyReply, { status, headers, body }: HealthAnswer): object {
  reply.code(status).headers(headers)
  return body
}
