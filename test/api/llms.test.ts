import { expect, it } from 'vitest'
import { testApi } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
const api = testApi(db)

it('describes every endpoint and parameter of the OpenAPI document at /llms.txt, without a key', async () => {
  const answer = await api.server.inject('/llms.txt')
  expect(answer.statusCode).toBe(200)
  expect(answer.headers['content-type']).toBe('text/plain; charset=utf-8')
  type Operation = { parameters?: { name: string }[] }
  const { paths } = (await api.get('/openapi.json')).json as { paths: Record<string, Record<string, Operation>> }
  expect(Object.keys(paths)).toContain('/v1/prices/history')
  for (const [path, operations] of Object.entries(paths))
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      expect(answer.body).toContain(`\`${method.toUpperCase()} ${path}\``)
      for (const { name } of parameters) expect(answer.body).toContain(`  - \`${name}\`: `)
    }
})

it('gives examples in /llms.txt that can be sent as they are', async () => {
  const { body } = await api.server.inject('/llms.txt')
  const examples = [...body.matchAll(/`GET (\/v1\/\S+[?=]\S+)`/g)].map((match) => match[1]!)
  expect(examples.length).toBeGreaterThanOrEqual(3)
  for (const path of examples.filter((example) => !example.includes('<'))) {
    const { status, json } = await api.get(path)
    // The test's database knows no provider: nothing else may be wrong with the request.
    expect([status, (json as { error?: { code: string } }).error?.code]).toEqual(
      path.includes('catalog') ? [404, 'provider_not_found'] : [400, 'invalid_query'],
    )
  }
})
