import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Api } from '../../src/api/route.ts'
import { ask, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'

const db = testDatabase()
let server: Api
beforeAll(async () => {
  server = await testServer(db.sql)
})
afterAll(() => server.close())

it('The version that runs is shown in the OpenAPI document and on the first page', async () => {
  const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
  expect((await ask(server, '/openapi.json')).json).toMatchObject({ info: { version } })
  expect((await ask(server, '/')).json).toMatchObject({ version })
})

it('The first page names every endpoint of the API, where each of them is described, and the addresses of health', async () => {
  const { json, headers } = await ask(server, '/')
  const { endpoints, health, ...others } = json as { endpoints: string[]; health: string[] }
  const { paths } = (await ask(server, '/openapi.json')).json as { paths: object }
  // Its form is in a standard, not in the document.
  expect(endpoints.filter((path) => path !== '/v1/log/checkpoint').sort()).toEqual(Object.keys(paths).sort())
  for (const path of [...health, ...(Object.values(others) as string[]).filter((value) => value.startsWith('/'))])
    expect([path, (await ask(server, path)).status]).not.toEqual([path, 404])
  expect(others).toMatchObject({ documentation: '/docs', openapi: '/openapi.json', llms: '/llms.txt' })
  // Browsers get the app under this address.
  expect(headers.vary).toBe('accept')
})
