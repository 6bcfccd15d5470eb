import { afterEach, beforeEach } from 'vitest'
import type { Api } from '../../../src/api/route.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { keepBucketsFull, testServer } from '../api.ts'

/** A key for webhook secrets: 32 bytes. */
export const SECRET_KEY = `${'A'.repeat(43)}=`

type Options = { body?: unknown; session?: string; headers?: Record<string, string>; address?: string }
export type AppAnswer = {
  status: number
  code?: string
  field?: string
  headers: Record<string, unknown>
  text: string
  json: Record<string, unknown>
  /** The session that the answer put into the browser; empty when it took it out. */
  session?: string
  /** The cookie with which the answer made the browser known. */
  browser?: string
}

/** Sends a request (`GET /v1/account`) to the server of a test. */
export type AppSend = (request: string, options?: Options) => Promise<AppAnswer>

let client = 0
/** A client address that no one used before: its bucket is full. */
export const freshAddress = (): string => `10.${(client >> 16) & 255}.${(client >> 8) & 255}.${client++ & 255}`

/** Sends a request of the app, as a browser or curl does. */
export async function send(server: Api, request: string, options: Options = {}): Promise<AppAnswer> {
  const [method, url] = request.split(' ')
  const { body, session, headers, address = freshAddress() } = options
  const answer = await server.inject({
    method: method as 'GET',
    url: url!,
    remoteAddress: address,
    headers: { ...(session && { cookie: `theme=dark; pricetape=${session}` }), ...headers },
    ...(body !== undefined && { payload: body as object }),
  })
  const json = answer.body.startsWith('{') ? JSON.parse(answer.body) : {}
  const cookies = [answer.headers['set-cookie']].flat().map(String)
  const cookie = cookies.find((one) => /^(__Host-)?pricetape(-passkey)?=/.test(one))
  const known = cookies.find((one) => /^(__Host-)?pricetape-browser=/.test(one))
  return {
    status: answer.statusCode,
    code: json.error?.code,
    field: json.error?.field,
    headers: answer.headers,
    text: answer.body,
    json,
    session: cookie && /=([^;]*)/.exec(cookie)![1],
    browser: known?.split(';')[0],
  }
}

/** A server of the app, whose buckets are always full. */
export async function appServer(sql: Sql, env: Record<string, string> = {}, bucketsIn = sql): Promise<Api> {
  const settings = { PRICETAPE_SECRET_KEY: SECRET_KEY, PRICETAPE_ALLOW_PRIVATE_ENDPOINTS: 'true', ...env }
  const server = await testServer(sql, settings)
  keepBucketsFull(server, bucketsIn)
  return server
}

/** The real server of each test on its own database, whose buckets are always full. */
export function testApp(db: { sql: Sql; url: string }, env: Record<string, string> = {}) {
  const app = {
    server: undefined as unknown as Api,
    send: (request: string, options?: Options) => send(app.server, request, options),
  }
  let sql: Sql
  beforeEach(async () => {
    sql = connect(db.url, { name: 'app' })
    app.server = await appServer(sql, env, db.sql)
  })
  afterEach(async () => {
    await app.server.close()
    await sql.end()
  })
  return app
}
