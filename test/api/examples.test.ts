import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { saveGroup } from '../../src/aliases/save-group.ts'
import type { Api } from '../../src/api/route.ts'
import type { Instant } from '../../src/lib/instant.ts'
import { newKey, testServer } from '../support/api.ts'
import { testDatabase } from '../support/database.ts'
import { publish, seedProviders } from '../support/prices.ts'

const run = promisify(execFile)
const AT = '2026-01-01T00:00:00.000Z' as Instant
const MEMBERS = [{ provider: 'acme', resource: 'm' }]

type Row = { contentHash: string }
const rowsOf = (text: string): Row[] =>
  text
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))

/** Each client in `examples/`: how it is run, and the rows in what it prints. */
const CLIENTS: Record<string, { command: string[]; rows: (text: string) => Row[] }> = {
  TypeScript: { command: ['node', '--import', 'tsx', 'examples/walk-history.ts'], rows: rowsOf },
  Python: { command: ['python3', 'examples/walk_history.py'], rows: rowsOf },
  curl: {
    command: ['bash', 'examples/walk-history.sh'],
    rows: (text) => rowsOf(text).flatMap((page) => (page as unknown as { prices: Row[] }).prices),
  },
}

describe('the example clients', () => {
  const db = testDatabase()
  let server: Api
  let url: string
  let hashes: string[]
  let groupId: string
  let statuses: number[] = []
  let changeGroupAfter: number | undefined

  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    const rows = Array.from({ length: 66 }, (_, n) => ({ provider: 'acme', resource: 'm', price: String(n) }))
    hashes = await publish(db.sql, rows, AT)
    groupId = (await saveGroup(db.sql, { name: 'Model M', members: MEMBERS, actor: 'test' })).id
    server = await testServer(db.sql)
    // A slow machine would leave time to refill between pages: the third request finds its bucket empty.
    server.addHook('onRequest', async () => {
      if (statuses.length === 2 && !statuses.includes(429))
        await db.sql`update rate_bucket set full_at = clock_timestamp() + interval '2.5 s' where key like 'history:%'`
    })
    server.addHook('onResponse', async (_request, reply) => {
      statuses.push(reply.statusCode)
      if (statuses.length !== changeGroupAfter) return
      await saveGroup(db.sql, { id: groupId, name: 'Model M', members: MEMBERS, actor: 'test' })
    })
    await server.listen({ port: 0, host: '127.0.0.1' })
    url = `http://127.0.0.1:${(server.server.address() as { port: number }).port}`
  })
  afterAll(() => server.close())

  const walk = async ({ command, rows }: (typeof CLIENTS)[string], query: string): Promise<Row[]> => {
    statuses = []
    const [program, ...args] = command
    const env = { ...process.env, PRICETAPE_URL: url, PRICETAPE_API_KEY: await newKey(db.sql), PRICETAPE_LIMIT: '10' }
    const { stdout } = await run(program!, [...args, query], { env })
    return rows(stdout)
  }

  for (const [name, client] of Object.entries(CLIENTS)) {
    it(`${name}: walks all pages, and waits as long as the answer says`, async () => {
      changeGroupAfter = undefined
      const rows = await walk(client, `providers=acme&asOf=${AT}`)
      expect(rows.map((row) => row.contentHash)).toEqual([...hashes].sort())
      expect(statuses.filter((status) => status === 200)).toHaveLength(7)
      expect(statuses).toContain(429)
    })

    it(`${name}: starts again when the alias group changes between pages`, async () => {
      changeGroupAfter = 2
      const rows = await walk(client, `alias=${groupId}`)
      expect(rows.map((row) => row.contentHash)).toEqual([...hashes].sort())
      expect(statuses).toContain(409)
    })
  }
})
