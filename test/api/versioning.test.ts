import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { ask, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
let server: Api
const DOCUMENTATION = 'https://example.com/what-to-use-instead'
beforeAll(async () => {
  server = await testServer(db.sql)
  const since = '2026-01-01T00:00:00.000Z' as Instant
  const sunset = '2027-01-02T00:00:00.000Z' as Instant
  const schema = { summary: 'An old endpoint' }
  server.get('/v1/old', { schema, config: { deprecated: { since, sunset, documentation: DOCUMENTATION } } }, () => ({}))
  server.get('/v1/aging', { config: { deprecated: { since, documentation: DOCUMENTATION } } }, (_, reply) =>
    reply.header('link', '<?cursor=x>; rel="next"').code(400).send({}),
  )
})
afterAll(() => server.close())

it('A deprecated endpoint announces it, and its end, on every answer', async () => {
  const { status, headers } = await ask(server, '/v1/old')
  expect(status).toBe(200)
  expect(headers.deprecation).toBe('@1767225600')
  expect(headers.sunset).toBe('Sat, 02 Jan 2027 00:00:00 GMT')
  expect(headers.link).toBe(
    `<${DOCUMENTATION}>; rel="deprecation"; type="text/html", <${DOCUMENTATION}>; rel="sunset"; type="text/html"`,
  )
})

it('Without an end there is no sunset, and other links stay', async () => {
  const { status, headers } = await ask(server, '/v1/aging')
  expect([status, headers.deprecation, headers.sunset]).toEqual([400, '@1767225600', undefined])
  expect(headers.link).toBe(`<?cursor=x>; rel="next", <${DOCUMENTATION}>; rel="deprecation"; type="text/html"`)
})

it('The OpenAPI document marks it, and nothing else', async () => {
  const { paths } = (await ask(server, '/openapi.json')).json as {
    paths: Record<string, { get: { deprecated?: boolean } }>
  }
  const deprecated = Object.entries(paths).filter(([, { get }]) => get.deprecated)
  expect(deprecated.map(([path]) => path)).toEqual(['/v1/old', '/v1/aging'])
})

it('No endpoint of the product is deprecated', async () => {
  for (const path of ['/', '/healthz', '/v1/providers', '/v1/prices/history']) {
    const { headers } = await ask(server, path)
    expect([path, headers.deprecation, headers.sunset]).toEqual([path, undefined, undefined])
  }
})

it('The version that runs is shown in the OpenAPI document and on the first page', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect((await ask(server, '/openapi.json')).json).toMatchObject({ info: { version } })
  expect((await ask(server, '/')).json).toMatchObject({ version })
})
