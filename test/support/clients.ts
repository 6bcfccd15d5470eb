import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { keepBucketsFull, newKey, testServer } from './api.ts'

/** A request as the server saw it, and how it was answered. */
export type SeenRequest = {
  path: string
  headers: Record<string, unknown>
  status: number
  answered: Record<string, unknown>
}

/**
 * The real server, listening, for clients that know only an address and a key.
 * @param options.limited false: a bucket is forgotten as soon as it is written
 */
export function listeningApi(db: { sql: Sql; url: string; each: boolean }, { limited = true } = {}) {
  const [before, after] = db.each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  const api = {
    server: undefined as unknown as Api,
    url: '',
    key: '',
    seen: [] as SeenRequest[],
    /** Called after each answer: what changes between two requests. */
    afterAnswer: undefined as undefined | ((seen: SeenRequest[]) => Promise<void>),
  }
  let sql: Sql
  before(async () => {
    sql = connect(db.url, { name: 'api' })
    api.key = await newKey(db.sql)
    api.server = await testServer(sql)
    api.server.addHook('onSend', async (request, reply) => {
      const { url: path, headers } = request
      api.seen.push({ path, headers, status: reply.statusCode, answered: reply.getHeaders() })
      await api.afterAnswer?.(api.seen)
    })
    if (!limited) keepBucketsFull(api.server, db.sql)
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    api.url = `http://127.0.0.1:${(api.server.server.address() as { port: number }).port}`
  })
  beforeEach(() => {
    api.seen = []
    api.afterAnswer = undefined
  })
  after(async () => {
    await api.server.close()
    await sql.end()
  })
  return api
}

/** Empties every bucket: the next request is refused, however slow the machine is. */
export const emptyBuckets = (sql: Sql) => sql`update rate_bucket set full_at = clock_timestamp() + interval '1 hour'`
