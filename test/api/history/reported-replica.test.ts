import { beforeAll, describe, expect, it } from 'vitest'
import { reportedReplica } from '../../../src/api/report-replica.ts'
import { readConfig } from '../../../src/lib/config.ts'
import type { Instant } from '../../../src/lib/instant.ts'
import { createLog } from '../../../src/lib/log.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { createMetrics } from '../../../src/monitoring/metrics/metrics.ts'
import { historyPage } from '../../../src/prices/history/history-store.ts'
import { buildServer } from '../../../src/server.ts'
import { ask, newKey } from '../../support/api.ts'
import { testDatabase } from '../../support/database.ts'
import { publish, seedProviders } from '../../support/prices.ts'

const AT = '2026-01-01T00:00:00.000Z' as Instant
const LATER = '2999-01-01T00:00:00.000Z' as Instant

describe('a replica of the history', () => {
  const db = testDatabase()
  beforeAll(async () => {
    await seedProviders(db.sql, '2025-12-31T00:00:00.000Z' as Instant, [{ provider: 'acme' }])
    await publish(db.sql, [{ provider: 'acme', resource: 'm', price: '1' }], AT)
  })
  const counting = () => {
    const metrics = createMetrics('api')
    const counts = async () => {
      const { values } = await metrics.replicaReads.get()
      return Object.fromEntries(values.flatMap(({ labels, value }) => (value > 0 ? [[labels.result, value]] : [])))
    }
    return { metrics, counts }
  }
  /** Reads a page as of an instant. The primary alone has instants that are not closed. */
  const pageAt = (asOf: Instant) => (sql: Sql) => historyPage(sql, { asOf, rows: { filters: {} }, after: '', limit: 5 })

  it('has its reads counted, and the log says when they begin to end otherwise', async () => {
    const lines: { level: number; msg: string; err?: object }[] = []
    const log = createLog('info', 'json', { write: (line: string) => void lines.push(JSON.parse(line)) })
    const { metrics, counts } = counting()
    const replica = reportedReplica(db.sql, log, metrics)
    const said = () => lines.splice(0).map(({ level, msg, err }) => `${level} ${msg}${err ? ' (with its error)' : ''}`)
    for (let n = 0; n < 2; n++) expect((await replica.read(pageAt(AT)))?.prices.toString()).toContain('"price":"1"')
    expect(said()).toEqual([])
    for (let n = 0; n < 2; n++) expect(await replica.read(pageAt(LATER))).toBeUndefined()
    expect(said()).toEqual(['40 the replica is behind: the primary answers what it does not have yet'])
    expect(await replica.read(pageAt(AT))).toBeDefined()
    expect(said()).toEqual(['30 pages of history are read from the replica'])
    for (let n = 0; n < 3; n++) expect(await replica.read((sql) => sql`select from nowhere` as never)).toBeUndefined()
    expect(said()).toEqual(['40 the replica does not answer: the primary answers instead (with its error)'])
    expect(await counts()).toEqual({ replica: 3, behind: 2, failed: 3 })
  })

  it('is what a server that has one reads pages from', async () => {
    const { metrics, counts } = counting()
    const [sql, replica] = [connect(db.url), connect(db.url)]
    const server = await buildServer({ sql, replica, config: readConfig({}), log: createLog('silent'), metrics })
    const headers = { authorization: `Bearer ${await newKey(db.sql)}` }
    const { json } = await ask(server, `/v1/prices/history?asOf=${AT}`, headers)
    expect([(json as { prices: object[] }).prices.length, await counts()]).toEqual([1, { replica: 1 }])
    await server.close()
    await Promise.all([sql.end(), replica.end()])
  })
})
