import type { FastifyReply } from 'fastify'
import { AppError } from '../lib/errors.ts'
import { SECOND } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { readHealth } from '../monitoring/read-health.ts'
import type { Health } from '../monitoring/schema.ts'
import type { Api } from './route.ts'

/** Health is read once in this time, however many requests come. */
const READ_EVERY_MS = SECOND
const RETRY_SECONDS = 5

/**
 * /healthz: this process answers. /readyz: everything the installation promises is done, or what does not work and why.
 * /readyz/reads: this node can serve reads, so a load balancer may send it requests.
 */
export function healthRoutes(api: Api, sql: Sql): void {
  const hidden = { schema: { hide: true } }
  const health = sharedReading(() => readHealth(sql))
  api.get('/healthz', hidden, async () => ({ status: 'ok' }))
  api.get('/readyz', hidden, async (_request, reply) => answer(reply, await health(), 'ready'))
  api.get('/readyz/reads', hidden, async (_request, reply) => answer(reply, await health(), 'reads'))
}

function answer(reply: FastifyReply, health: Health, wanted: 'ready' | 'reads') {
  const { ready, reads, reasons, degraded } = health
  const status = ready ? 'ready' : 'not_ready'
  const body = { status, reads, reasons, degraded }
  if (health[wanted]) return body
  const error = new AppError('unavailable', reasons.map(({ message }) => message).join(' '))
  reply.code(error.status).header('retry-after', String(RETRY_SECONDS))
  return { ...error.toBody(), ...body }
}

/** Requests that come together, or soon after each other, share one reading. */
function sharedReading(read: () => Promise<Health>): () => Promise<Health> {
  let last: { since: number; health: Promise<Health> } | undefined
  return () => {
    if (!last || performance.now() - last.since > READ_EVERY_MS) last = { since: performance.now(), health: read() }
    return last.health
  }
}
