import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { errorBody } from '../../src/api/schema.ts'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { dial } from '../support/servers/raw-http.ts'

type RawAnswer = { status: number; headers: Record<string, string>; body: string }

/** The first answer in the bytes that a connection received. */
function parseAnswer(received: string): RawAnswer {
  const [head = '', body = ''] = received.split('\r\n\r\n')
  const [status = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return { status: Number(status.split(' ')[1]), headers: Object.fromEntries(headers), body }
}

describe('HTTP', () => {
  const db = testDatabase()
  const api = testApi(db)
  let port: number
  beforeAll(async () => {
    await api.server.listen({ port: 0, host: '127.0.0.1' })
    port = (api.server.server.address() as { port: number }).port
  })
  afterAll(() => api.server.server.closeAllConnections())

  /** Sends bytes and returns the answer when the server has closed the connection. */
  const send = async (bytes: string): Promise<RawAnswer> => {
    const connection = await dial(port, bytes)
    await connection.closed
    return parseAnswer(connection.received())
  }
  const request = (line: string, headers = '') =>
    send(`${line} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n${headers}\r\n`)
  const codeOf = ({ body }: RawAnswer) => errorBody.parse(JSON.parse(body)).error.code

  const PATHS = [
    '/',
    '/healthz',
    '/readyz',
    '/readyz/reads',
    '/openapi.json',
    '/docs/',
    '/docs/static/swagger-ui.css',
    '/v1/prices/history',
    '/v1/providers?x=1',
    '/v1/comparison/aliases',
    '/v1/catalog',
    '/v1/prices/evidence/x',
    '/v1/log/tile/0/000',
  ]

  it('another method than GET or HEAD on a known path is 405 with allow', async () => {
    for (const path of PATHS) {
      for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND']) {
        const answer = await request(`${method} ${path}`)
        expect([method, path, answer.status]).toEqual([method, path, 405])
        expect(answer.headers.allow).toBe('GET, HEAD')
        expect(codeOf(answer)).toBe('method_not_allowed')
      }
    }
  })

  it('a body of any kind beside a wrong method changes nothing', async () => {
    for (const type of ['application/json', 'application/xml', 'nonsense']) {
      const answer = await request('POST /v1/providers', `content-type: ${type}\r\ncontent-length: 1\r\n`)
      expect([type, answer.status]).toEqual([type, 405])
    }
  })

  it('a path that is not there is 404 with every method', async () => {
    for (const method of ['GET', 'HEAD', 'POST', 'TRACE', 'OPTIONS', 'PROPFIND']) {
      for (const path of ['/v1/nothing', '/v2/prices/history', '/docs/static', '//', 'http://localhost/nothing']) {
        const answer = await request(`${method} ${path}`)
        expect([method, path, answer.status]).toEqual([method, path, 404])
        if (method !== 'HEAD') expect(codeOf(answer)).toBe('not_found')
      }
    }
  })

  it('an address with its origin is read like one without', async () => {
    expect((await request('GET http://localhost/healthz')).status).toBe(200)
    expect((await request('POST http://localhost/healthz')).status).toBe(405)
    expect((await request('OPTIONS *')).status).toBe(404)
  })

  it('CONNECT is answered too', async () => {
    const answer = await request('CONNECT example.com:443')
    expect([answer.status, answer.headers.allow, codeOf(answer)]).toEqual([405, 'GET, HEAD', 'method_not_allowed'])
  })

  it('an expectation no one can meet is 417, and 100-continue is met', async () => {
    const unknown = await request('GET /healthz', 'expect: the unexpected\r\n')
    expect([unknown.status, codeOf(unknown)]).toEqual([417, 'expectation_failed'])
    const met = await dial(
      port,
      'GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\nexpect: 100-Continue\r\n\r\n',
    )
    await met.closed
    expect(met.received()).toMatch(/HTTP\/1\.1 200 OK/)
  })

  it('without a Host header a request is 400, and with HTTP/1.0 it needs none', async () => {
    const nameless = await send('GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n')
    expect([nameless.status, codeOf(nameless)]).toEqual([400, 'invalid_query'])
    expect((await send('GET /healthz HTTP/1.0\r\n\r\n')).status).toBe(200)
  })

  it('an address that is too long is 414, headers that are too long are 431', async () => {
    const long = await request(`GET /v1/prices/history?cursor=${'A'.repeat(40_000)}`)
    expect([long.status, codeOf(long)]).toEqual([414, 'address_too_long'])
    const headers = await request('GET /v1/providers', `x: ${'y'.repeat(60_000)}\r\n`)
    expect([headers.status, codeOf(headers)]).toEqual([431, 'headers_too_long'])
  })

  it('what is malformed is 400', async () => {
    for (const line of ['GET /v1/%zz', 'GET /v1/providers%']) {
      const answer = await request(line)
      expect([line, answer.status, codeOf(answer)]).toEqual([line, 400, 'invalid_query'])
    }
    for (const bytes of ['NONSENSE\r\n\r\n', 'GET / HTTP/3.7\r\n\r\n', '\0\0\0\0', 'GET /a b c HTTP/1.1\r\n\r\n']) {
      const answer = await send(bytes)
      expect([bytes, answer.status, codeOf(answer)]).toEqual([bytes, 400, 'invalid_query'])
    }
  })

  it('every answer has an id of its own, security headers and, when it is an error, no-store', async () => {
    const answers = [
      await request('GET /healthz'),
      await request('GET /v1/providers'),
      await request('POST /v1/providers'),
      await request('GET /nothing'),
      await request('GET /v1/%zz'),
      await request('GET /', 'expect: x\r\n'),
      await request('CONNECT example.com:443'),
      await request('GET /', `x: ${'y'.repeat(60_000)}\r\n`),
      await send('NONSENSE\r\n\r\n'),
    ]
    for (const answer of answers) {
      expect([answer.status, answer.headers['request-id']]).toEqual([
        answer.status,
        expect.stringMatching(/^[0-9a-f-]{36}$/),
      ])
      expect([answer.status, answer.headers['x-content-type-options']]).toEqual([answer.status, 'nosniff'])
      if (answer.status >= 400) expect(answer.headers['cache-control']).toBe('no-store')
      if (answer.status >= 400) expect(answer.headers['content-type']).toBe('application/json; charset=utf-8')
    }
    expect(new Set(answers.map(({ headers }) => headers['request-id'])).size).toBe(answers.length)
  })

  it('an id that a client or a proxy chose is kept when it is a short word', async () => {
    const kept = await request('GET /healthz', 'request-id: 01J-a.b_C9\r\n')
    expect(kept.headers['request-id']).toBe('01J-a.b_C9')
    const longest = await request('GET /healthz', `request-id: ${'x'.repeat(64)}\r\n`)
    expect(longest.headers['request-id']).toBe('x'.repeat(64))
    for (const odd of ['', 'a b', 'x'.repeat(65), '{"a":1}', 'é']) {
      const { headers } = await request('GET /healthz', `request-id: ${odd}\r\n`)
      expect([odd, headers['request-id']]).toEqual([odd, expect.stringMatching(/^[0-9a-f-]{36}$/)])
    }
  })

  it('a parameter called __proto__ is unknown like any other', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await api.get(`/v1/providers?${name}=x`)
      expect(answer.json).toMatchObject({ error: { code: 'invalid_query', field: name } })
    }
  })
})
