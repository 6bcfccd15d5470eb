import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Api } from '../../src/api/route.ts'
import type { ConnectionLimits } from '../../src/api/serving/connection-rules.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { buildServer } from '../../src/server.ts'
import { sharedReaders } from './isolation.ts'

/** Builds the real server on a database; a test file that wants another node calls it again. */
export const testServer = (
  sql: Sql,
  env: Record<string, string> = {},
  limits: Partial<ConnectionLimits> = {},
  appFolder?: string,
): Promise<Api> =>
  buildServer(
    { sql, appFolder, config: readConfig(env), log: createLog('silent'), createReaders: sharedReaders },
    limits,
  )

/** Limits have tests of their own: elsewhere buckets are always full. */
export const keepBucketsFull = (server: Api, sql: Sql): void =>
  void server.addHook('onRequest', async () => void (await sql`delete from rate_bucket`))

export type Answer = { status: number; headers: Record<string, unknown>; text: string; json: never }

/** The real server of this test file, or of each test where its database is, and `get`, which asks it with a key whose buckets are always full. */
export function testApi(db: { sql: Sql; url: string; each: boolean }) {
  const [before, after] = db.each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  const api = {
    server: undefined as unknown as Api,
    key: '',
    get: (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
      ask(api.server, path, { authorization: `Bearer ${api.key}`, ...headers }),
  }
  let sql: Sql
  before(async () => {
    sql = connect(db.url, { name: 'api' })
    api.server = await testServer(sql)
    api.key = await newKey(db.sql)
    keepBucketsFull(api.server, db.sql)
  })
  after(async () => {
    await api.server.close()
    await sql.end()
  })
  return api
}

export async function newKey(sql: Sql, name = 'test'): Promise<string> {
  const { workspaceId } = await createWorkspace(sql, { name })
  return (await createApiKey(sql, { workspaceId, name })).key
}

export async function ask(server: Api, path: string, headers: Record<string, string> = {}): Promise<Answer> {
  const answer = await server.inject({ method: 'GET', url: path, headers })
  const isJson = String(answer.headers['content-type']).startsWith('application/json')
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.body,
    json: (isJson ? JSON.parse(answer.body) : undefined) as never,
  }
}
