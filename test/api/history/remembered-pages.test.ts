import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { saveGroup } from '../../../src/aliases/save-group.ts'
import type { Api } from '../../../src/api/route.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import type { Sql } from '../../../src/lib/sql.ts'
import { ask, newKey, testServer } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant

describe('small pages of closed instants', () => {
  const db = testDatabase()
  let server: Api
  let start: () => Promise<Api>
  let statements = 0
  beforeAll(async () => {
    const counted = new Proxy(db.sql, {
      apply: (sql, self, args: Parameters<Sql>) => {
        statements += 1
        return Reflect.apply(sql, self, args)
      },
    })
    start = () => testServer(counted)
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }, { provider: 'globex' }])
    const rows = Array.from({ length: 30 }, (_, n) => ({
      provider: n % 2 ? 'acme' : 'globex',
      resource: `m${n}`,
      price: '1',
    }))
    await publish(db.sql, rows, AT)
  })
  // Each test has a server that remembers nothing yet.
  beforeEach(async () => {
    server = await start()
  })
  afterEach(() => server.close())

  /** A key whose first use, which costs more, is not counted. */
  async function usedKey(): Promise<string> {
    const key = await newKey(db.sql)
    await ask(server, '/v1/providers', { authorization: `Bearer ${key}` })
    return key
  }

  /** Reads a page. Returns the answer, and how many statements it took. */
  async function read(query: string, key?: string) {
    const authorization = `Bearer ${key ?? (await usedKey())}`
    statements = 0
    const answer = await ask(server, `/v1/prices/history?${query}`, { authorization })
    expect(answer.status, answer.text).toBe(200)
    return { text: answer.text, etag: answer.headers.etag, statements }
  }

  it('are the same bytes for every key, and cost the second one only its admission', async () => {
    const keys = await Promise.all([1, 2].map(usedKey))
    const first = await read(`asOf=${AT}&providers=acme&limit=5`, keys[0])
    const again = await read(`providers=acme&limit=5&asOf=${AT}`, keys[1])
    expect([again.text, again.etag]).toEqual([first.text, first.etag])
    expect(first.statements).toBeGreaterThanOrEqual(3)
    expect(again.statements).toBe(1)
  })

  it('of one walk share what they refer to: each costs its own rows alone', async () => {
    const keys = await Promise.all([1, 2, 3].map(usedKey))
    const { nextCursor } = JSON.parse((await read(`asOf=${AT}&limit=10`, keys[0])).text)
    const second = await read(`cursor=${nextCursor}&limit=10`, keys[1])
    const third = await read(`cursor=${JSON.parse(second.text).nextCursor}&limit=10`, keys[2])
    expect(third.statements).toBeLessThan(second.statements)
  })

  it('with another asOf, providers or limit are others, and those without asOf are never remembered', async () => {
    const texts = await Promise.all(
      [
        `asOf=${AT}&limit=5`,
        `asOf=${AT}&limit=6`,
        `asOf=${AT}&limit=5&providers=acme`,
        `asOf=2026-01-02T00:00:00Z&limit=5`,
      ].map(async (query) => (await read(query)).text),
    )
    expect(new Set(texts).size).toBe(4)
    const now = [await read('limit=5'), await read('limit=5')].map(({ text }) => JSON.parse(text).asOf)
    expect(now[0]).not.toBe(now[1])
  })

  it('follow a group at once when it changes', async () => {
    const members = [{ provider: 'acme', resource: 'm1' }]
    const { id } = await saveGroup(db.sql, { name: 'G', members, actor: 'test' })
    expect(JSON.parse((await read(`asOf=${AT}&alias=${id}`)).text).prices).toHaveLength(1)
    const more = [...members, { provider: 'acme', resource: 'm3' }]
    await saveGroup(db.sql, { id, name: 'G', members: more, actor: 'test' })
    expect(JSON.parse((await read(`asOf=${AT}&alias=${id}`)).text).prices).toHaveLength(2)
  })
})

describe('remembered pages after a restore', () => {
  const db = testDatabase()
  let server: Api
  beforeAll(async () => {
    server = await testServer(db.sql)
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }], AT)
  })
  afterAll(() => server.close())

  it('of a history that a restore has lost are refused two seconds later at the latest', async () => {
    const lost = '2026-01-03T00:00:00.000Z' as Instant
    const key = await newKey(db.sql)
    const status = async () => {
      const answer = await ask(server, `/v1/prices/history?asOf=${lost}&limit=5`, { authorization: `Bearer ${key}` })
      return `${answer.status} ${(answer.json as { error?: { code: string } }).error?.code}`
    }
    expect(await status()).toBe('200 undefined')
    // As a restore of a backup from before leaves it.
    await db.sql`update history_timeline set fingerprint = 'another database'`
    await db.sql`update publication_clock set last_stamp = ${AT}`
    await sleep(2_100)
    expect(await status()).toBe('400 history_lost')
  })
})
