import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import type { Api } from '../../../src/api/route.ts'
import { readConfig } from '../../../src/lib/config.ts'
import { DAY, type Instant, plus } from '../../../src/lib/instant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { createMetrics } from '../../../src/monitoring/metrics/metrics.ts'
import { buildServer } from '../../../src/server.ts'
import { ask, newKey } from '../../support/api.ts'
import { publish, seedProviders } from '../../support/prices.ts'
import { startReplication } from '../../support/servers/standby.ts'

const START = '2026-01-01T00:00:00.000Z' as Instant
const day = (n: number): Instant => plus(START, n * DAY)

describe('pages of history read from a streaming replica', () => {
  let servers: Awaited<ReturnType<typeof startReplication>>
  let replica: Sql
  let server: Api
  let alone: Api
  const lines: string[] = []
  const metrics = createMetrics('api')

  beforeAll(async () => {
    servers = await startReplication()
    replica = connect(servers.url, { max: 4 })
    const log = createLog('info', 'json', { write: (line: string) => void lines.push(line) })
    server = await buildServer({ sql: servers.sql, replica, config: readConfig({}), log, metrics })
    alone = await buildServer({ sql: servers.sql, config: readConfig({}), log: createLog('silent') })
    await seedProviders(servers.sql, day(-1), [{ provider: 'acme' }])
    for (let n = 0; n < 3; n++)
      await publish(servers.sql, [{ provider: 'acme', resource: 'm', price: String(n + 1) }], day(n))
  }, 120_000)
  afterAll(async () => {
    await server.close()
    await alone.close()
    await replica.end({ timeout: 1 })
    await servers.stop()
  })

  // A test that fails while replay is paused fails alone.
  afterEach(async () => void (await replica`select pg_wal_replay_resume()`))

  const pageOf = async (node: Api, query: string) => {
    const answer = await ask(node, `/v1/prices/history?${query}`, {
      authorization: `Bearer ${await newKey(servers.sql)}`,
    })
    expect(answer.status, answer.text).toBe(200)
    return answer.text
  }
  const counts = async () => {
    const { values } = await metrics.replicaReads.get()
    return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]))
  }
  /** Reads at both nodes, the same bytes. Returns what the replica said. */
  async function read(query: string): Promise<string[]> {
    const before = await counts()
    expect(await pageOf(server, query)).toBe(await pageOf(alone, query))
    const after = await counts()
    return Object.keys(after).filter((result) => after[result] !== before[result])
  }
  const caughtUp = () =>
    vi.waitFor(async () => {
      const [at] = await servers.sql<{ lsn: string }[]>`select pg_current_wal_lsn()::text as lsn`
      const [is] = await replica<{ done: boolean }[]>`select pg_last_wal_replay_lsn() >= ${at!.lsn}::pg_lsn as done`
      expect(is!.done).toBe(true)
    }, 10_000)

  it('are those of the primary, whatever is asked: pages, walks, filters, changes', async () => {
    await caughtUp()
    for (const query of [
      'limit=2',
      'limit=5&current=true',
      'include=confirmation',
      `since=${day(0)}`,
      'providers=acme',
    ])
      expect(await read(`asOf=${day(2)}&${query}`), query).toEqual(['replica'])
    const { nextCursor } = JSON.parse(await pageOf(server, `asOf=${day(2)}&limit=1`))
    expect(await read(`cursor=${nextCursor}&limit=2`)).toEqual(['replica'])
  })

  it('come from the primary while the replica has not replayed what was published, and say so in metric and log', async () => {
    await caughtUp()
    expect(await read(`asOf=${day(1)}&limit=6`)).toEqual(['replica'])
    await replica`select pg_wal_replay_pause()`
    await publish(servers.sql, [{ provider: 'acme', resource: 'm', price: '9' }], day(40))
    lines.length = 0
    expect(await read(`asOf=${day(40)}&limit=7`)).toEqual(['behind'])
    expect(await pageOf(server, `asOf=${day(40)}&limit=8`)).toContain('"price":"9"')
    expect(lines.filter((line) => line.includes('the replica is behind'))).toHaveLength(1)
    // What it has is still read there.
    expect(await read(`asOf=${day(1)}&limit=9`)).toEqual(['replica'])
    const said = lines.map((line) => JSON.parse(line)).filter(({ msg }) => msg.includes('replica'))
    expect(said.map(({ level, msg }) => `${level} ${msg}`)).toEqual([
      '40 the replica is behind: the primary answers what it does not have yet',
      '30 pages of history are read from the replica',
    ])
    await replica`select pg_wal_replay_resume()`
    await caughtUp()
    expect(await read(`asOf=${day(40)}&limit=10`)).toEqual(['replica'])
  })

  it('come from the primary where the replica is of a history that a restore has lost', async () => {
    await caughtUp()
    await replica`select pg_wal_replay_pause()`
    await servers.sql`insert into history_timeline (reason, fingerprint) values ('restored', history_fingerprint())`
    await new Promise((done) => setTimeout(done, 2_100))
    expect(await read(`asOf=${day(1)}&limit=11`)).toEqual(['behind'])
  })

  it('come from the primary at once while the replica is gone, and from the replica again when it is back', async () => {
    await caughtUp()
    await servers.loseStandby()
    lines.length = 0
    const began = performance.now()
    for (let n = 0; n < 5; n++) expect(await read(`asOf=${day(1)}&limit=${20 + n}`)).toEqual(['failed'])
    expect(performance.now() - began).toBeLessThan(15_000)
    expect(lines.filter((line) => line.includes('the replica does not answer'))).toHaveLength(1)
    await servers.startStandby()
    await vi.waitFor(
      async () =>
        expect(await read(`asOf=${day(1)}&limit=${Math.ceil(Math.random() * 9_000) + 100}`)).toEqual(['replica']),
      {
        timeout: 20_000,
        interval: 1_000,
      },
    )
  }, 60_000)
})
