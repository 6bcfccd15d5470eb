import { connect as dial } from 'node:net'
import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { readConfig } from '../../src/lib/config.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { buildServer } from '../../src/server.ts'
import { ask, newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { freePort } from '../support/servers/ports.ts'
import { allowedMs } from '../support/suite/allowed-time.ts'

describe('errors', () => {
  const db = testDatabase()
  let server: Api
  let away: Sql
  beforeAll(async () => {
    server = await testServer(db.sql)
    away = connect(`postgres://nobody:x@127.0.0.1:${await freePort()}/none`)
  })
  afterAll(async () => {
    await server.close()
    await away.end({ timeout: 0 })
  })

  it('unknown paths are 404 not_found in the one shape', async () => {
    for (const [method, url] of [
      ['GET', '/v1/nothing'],
      ['POST', '/v2/providers'],
      ['GET', '/v2/prices/history'],
    ]) {
      const answer = await server.inject({ method: method as 'GET', url: url! })
      expect(answer.statusCode).toBe(404)
      expect(answer.json()).toEqual({ error: { code: 'not_found', message: expect.stringContaining(url!) } })
    }
    const { text } = await ask(server, `/${'x'.repeat(1_000)}`)
    expect([text.includes('x'.repeat(199)), text.includes('x'.repeat(200))]).toEqual([true, false])
  })

  it('while PostgreSQL is down every endpoint is 503 unavailable with retry-after, and soon', async () => {
    const down = await testServer(away)
    for (const path of ['/v1/providers', '/v1/prices/history', '/readyz']) {
      const started = performance.now()
      const answer = await ask(down, path, { authorization: 'Bearer ptk_x' })
      expect([path, answer.status]).toEqual([path, 503])
      expect((answer.json as { error: { code: string } }).error.code).toBe('unavailable')
      expect(answer.headers['retry-after']).toBe('5')
      expect(performance.now() - started).toBeLessThan(allowedMs(5_000))
    }
    expect((await ask(down, '/healthz')).status).toBe(200)
    await down.close()
  })

  it('our fault is 500 internal_error and says nothing of itself', async () => {
    const broken = await testServer(db.sql)
    const errors = [{}, { code: 'FST_ERR_REP_INVALID_PAYLOAD_TYPE', statusCode: 500 }, { statusCode: 404 }]
    for (const [n, more] of errors.entries())
      broken.get(`/broken/${n}`, async () => {
        throw Object.assign(new Error('the secret is swordfish'), more)
      })
    for (const n of errors.keys()) {
      const answer = await ask(broken, `/broken/${n}`)
      expect(answer.status).toBe(500)
      expect(answer.text).not.toContain('swordfish')
      expect((answer.json as { error: { code: string } }).error.code).toBe('internal_error')
    }
    await broken.close()
  })

  it('a database that is away, starting, full, too busy or read-only is 503, and a wrong statement is our fault', async () => {
    const asked = await testServer(db.sql)
    const away = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EPIPE', 'EHOSTUNREACH', 'ETIMEDOUT', 'ENOENT']
    away.push('CONNECTION_CLOSED', 'CONNECT_TIMEOUT', '08006', '53300', '53100', '57P01', '57P03', '57014', '55P03')
    away.push('40P01', '25P04', '25006')
    const ours = ['42P01', '23505', '40001', '25001', '55000', '57000', 'ENOENTRY', 'X08006', undefined]
    asked.get('/failing', async ({ query }) => {
      throw Object.assign(new Error('failed'), query)
    })
    for (const [codes, expected] of [
      [away, [503, 'unavailable', '5']],
      [ours, [500, 'internal_error', undefined]],
    ] as const)
      for (const code of codes) {
        const { status, json, headers } = await ask(asked, code === undefined ? '/failing' : `/failing?code=${code}`)
        const { error } = json as { error: { code: string } }
        expect([code, status, error.code, headers['retry-after']]).toEqual([code, ...expected])
      }
    await asked.close()
  })

  it('a fault is logged once with the id of its request, and an answer we chose as one line without a stack', async () => {
    const lines: Record<string, unknown>[] = []
    const log = pino({ level: 'warn' }, { write: (line: string) => lines.push(JSON.parse(line)) })
    let unavailable: string | undefined
    const logging = await buildServer({ sql: db.sql, config: readConfig({}), log, unavailable: () => unavailable })
    logging.get('/broken', async () => {
      throw new Error('broken')
    })
    const broken = await ask(logging, '/broken', { 'request-id': 'mine' })
    expect(broken.text).toContain('quote request mine')
    await ask(logging, '/nothing')
    unavailable = 'The service is starting.'
    const { headers } = await ask(logging, '/v1/providers')
    expect(headers['retry-after']).toBe('2')
    for (const [path, status] of [
      ['/healthz', 200],
      ['/readyz', 503],
      ['/healthz?x=1', 503],
    ] as const)
      expect([path, (await ask(logging, path)).status]).toEqual([path, status])
    lines.splice(2)
    expect(lines).toEqual([
      expect.objectContaining({ level: 50, requestId: 'mine', path: '/broken', err: expect.anything() }),
      expect.objectContaining({ level: 40, requestId: headers['request-id'], msg: 'The service is starting.' }),
    ])
    expect(lines[1]).not.toHaveProperty('err')
    await logging.close()
  })

  it('serves reads while the database answers, and answers /, /healthz and /readyz/reads without a key', async () => {
    for (const path of ['/', '/healthz', '/readyz/reads']) expect((await ask(server, path)).status).toBe(200)
  })

  it('sends security headers with every answer', async () => {
    for (const path of ['/', '/v1/providers', '/nothing']) {
      const { headers } = await ask(server, path)
      expect(headers['x-content-type-options']).toBe('nosniff')
      expect(headers['content-security-policy']).toBeDefined()
      expect(headers['x-frame-options']).toBe('DENY')
      expect(headers['referrer-policy']).toBe('no-referrer')
      expect(headers['strict-transport-security']).toBeUndefined()
    }
    for (const [url, sent] of [
      ['https://prices.example', 'max-age=63072000'],
      ['http://prices.example', undefined],
    ] as const) {
      const named = await testServer(db.sql, { PRICETAPE_PUBLIC_URL: url })
      expect((await ask(named, '/healthz')).headers['strict-transport-security']).toBe(sent)
      await named.close()
    }
  })

  it('malformed paths and what is not HTTP are answered in the same shape', async () => {
    expect((await ask(server, '/v1/%zz')).status).toBeLessThan(500)
    const listening = await testServer(db.sql)
    await listening.listen({ port: 0, host: '127.0.0.1' })
    const address = listening.server.address() as { port: number }
    const text = await new Promise<string>((done) => {
      const socket = dial(address.port, '127.0.0.1', () => socket.write('NONSENSE\r\n\r\n'))
      let answer = ''
      socket.on('data', (data) => {
        answer += data
      })
      socket.on('close', () => done(answer))
    })
    expect(text).toMatch(/^HTTP\/1\.1 400 /)
    expect(JSON.parse(text.split('\r\n\r\n')[1]!).error.code).toBe('invalid_query')
    await listening.close()
  })

  it('a body that is longer than 16 KiB is not read to its end', async () => {
    const url = '/v1/password-reset'
    const post = (length: number) =>
      server.inject({
        ...{ method: 'POST', url, headers: { 'content-type': 'application/json' } },
        payload: `"${'x'.repeat(length - 2)}"`,
      })
    const [most, more] = [await post(16 * 1_024), await post(16 * 1_024 + 1)]
    for (const { statusCode, json } of [most, more])
      expect([statusCode, json().error.code]).toEqual([400, 'invalid_body'])
    expect([most.body.includes('too large'), more.body.includes('too large')]).toEqual([false, true])
  })

  it('closing refuses requests that come meanwhile, and tells them to come again', async () => {
    const closing = await testServer(db.sql)
    let answer: Response | undefined
    closing.addHook('preClose', async () => {
      const { port } = closing.server.address() as { port: number }
      answer = await fetch(`http://127.0.0.1:${port}/healthz`)
    })
    await closing.listen({ port: 0, host: '127.0.0.1' })
    await closing.close()
    const { status, headers } = answer!
    expect([status, headers.get('retry-after'), headers.get('connection')]).toEqual([503, '1', 'close'])
    expect(await answer!.json()).toMatchObject({ error: { code: 'unavailable' } })
  })

  it('closing ends the connection of an answer under way, with the whole answer', async () => {
    const closing = await testServer(db.sql)
    let end = () => {}
    const ended = new Promise<void>((done) => {
      end = done
    })
    closing.get('/slow', async () => ended.then(() => ({ slow: true })))
    await closing.listen({ port: 0, host: '127.0.0.1' })
    const { port } = closing.server.address() as { port: number }
    const asked = fetch(`http://127.0.0.1:${port}/slow`)
    await new Promise((done) => closing.server.once('request', done))
    const closed = closing.close()
    // The server has heard of it when it accepts no one any more.
    while (closing.server.listening) await new Promise((done) => setTimeout(done, 10))
    end()
    const answer = await asked
    expect([answer.status, answer.headers.get('connection'), await answer.json()]).toEqual([
      200,
      'close',
      { slow: true },
    ])
    await closed
  })

  it('closing lets the request in hand finish', async () => {
    const closing = await testServer(db.sql)
    const key = await newKey(db.sql)
    await closing.listen({ port: 0, host: '127.0.0.1' })
    const { port } = closing.server.address() as { port: number }
    const asked = fetch(`http://127.0.0.1:${port}/v1/providers`, { headers: { authorization: `Bearer ${key}` } })
    await new Promise((done) => closing.server.once('request', done))
    await closing.close()
    expect([200, 503]).toContain((await asked).status)
  })
})
