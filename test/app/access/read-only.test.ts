import { pino } from 'pino'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Api } from '../../../src/api/route.ts'
import { readConfig } from '../../../src/lib/config.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { buildServer } from '../../../src/server.ts'
import { addOperator, anotherSession } from '../../support/accounts.ts'
import { SECRET_KEY, send } from '../../support/app/app.ts'
import { testDatabase } from '../../support/database.ts'
import { NOBODY, TABLE } from './route-table.ts'

describe('A read-only database: a standby, or default_transaction_read_only', () => {
  const db = testDatabase()
  const lines: Record<string, unknown>[] = []
  let readOnly: Sql
  let server: Api
  let session: string
  beforeAll(async () => {
    const { email } = await addOperator(db.sql)
    session = await anotherSession(db.sql, email)
    await db.sql.unsafe(`alter database ${db.name} set default_transaction_read_only = on`)
    readOnly = connect(db.url)
    const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(JSON.parse(line)) })
    server = await buildServer({ sql: readOnly, config: readConfig({ PRICETAPE_SECRET_KEY: SECRET_KEY }), log })
  })
  afterAll(async () => {
    await server.close()
    await readOnly.end()
    await db.sql.unsafe(`alter database ${db.name} reset default_transaction_read_only`)
  })

  it.each(TABLE.map(({ request, body }) => [request, body]))(
    'gives 503 with retry-after, never 500: %s',
    async (request, body) => {
      const asked = (request as string).replace(/:\w+/g, NOBODY)
      const { status, code, headers } = await send(server, asked, { session, ...(body !== undefined && { body }) })
      expect(status, code).not.toBe(500)
      if (status !== 503) return
      expect(code).toBe('unavailable')
      expect(Number(headers['retry-after'])).toBeGreaterThan(0)
    },
  )

  it('is 503 unavailable on the read API and at sign-in, which write, and the log has one reason for all of it', async () => {
    lines.length = 0
    const signIn = await send(server, 'POST /v1/sessions', { body: { email: 'a@example.com', password: 'x' } })
    const read = await send(server, 'GET /v1/providers', { session })
    for (const { status, code, headers } of [signIn, read])
      expect([status, code, Number(headers['retry-after']) > 0]).toEqual([503, 'unavailable', true])
    const faults = lines.filter(({ level }) => (level as number) >= 50)
    expect(faults).toHaveLength(2)
    expect(new Set(faults.map(({ reason, msg }) => `${reason}: ${msg}`))).toEqual(
      new Set(['database_read_only: the database is read-only']),
    )
    expect(faults.filter(({ err }) => err !== undefined)).toEqual([])
  })
})
