import { readFile } from 'node:fs/promises'
import { expect, it } from 'vitest'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
const api = testApi(db)

it('The OpenAPI document is built once and answered from the same bytes', async () => {
  const first = await api.get('/openapi.json')
  expect((await api.get('/openapi.json')).text).toBe(first.text)
  expect(first.headers.etag).toMatch(/^"[0-9a-f]{32}"$/)
  expect((await api.get('/docs/json')).headers.etag).toBe(first.headers.etag)
  expect((await api.get('/docs/yaml')).text).toMatch(/^openapi: /)
})

it('A client that has the OpenAPI document is answered 304', async () => {
  const etag = String((await api.get('/openapi.json')).headers.etag)
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await api.get('/openapi.json', { 'if-none-match': known })
    expect([answer.status, answer.text, answer.headers.etag]).toEqual([304, '', etag])
  }
  expect((await api.get('/openapi.json', { 'if-none-match': '"other"' })).status).toBe(200)
})

it('The files of the documentation are sent compressed, and not again to a client that has them', async () => {
  for (const name of ['swagger-ui-bundle.js', 'swagger-ui.css']) {
    const whole = await api.get(`/docs/static/${name}`)
    expect([whole.status, whole.headers.etag]).toEqual([200, expect.stringMatching(/^"[0-9a-f]{32}"$/)])
    const known = await api.get(`/docs/static/${name}`, { 'if-none-match': String(whole.headers.etag) })
    expect([known.status, known.text]).toEqual([304, ''])
  }
  const packed = await api.get('/docs/static/swagger-ui-bundle.js', { 'accept-encoding': 'gzip' })
  expect(packed.headers['content-encoding']).toBe('gzip')
  expect((await api.get('/docs/static/index.html')).status).toBe(404)
})

it('A large answer arrives whole, with its length, which HEAD gives too', async () => {
  const url = '/docs/static/swagger-ui-bundle.js'
  const { rawPayload, headers } = await api.server.inject({ url })
  expect(rawPayload.equals(await readFile(`node_modules/@fastify/swagger-ui/static/${url.split('/').at(-1)}`))).toBe(
    true,
  )
  expect(headers['content-length']).toBe(String(rawPayload.length))
  const head = await api.server.inject({ url, method: 'HEAD' })
  expect([head.statusCode, head.headers['content-length'], head.rawPayload.length]).toEqual([
    200,
    String(rawPayload.length),
    0,
  ])
})
