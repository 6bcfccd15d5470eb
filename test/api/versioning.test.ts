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
