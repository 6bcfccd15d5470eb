/**
 * Measures pages of 100 rows with key and limits, from another process than the API's, and what each costs the API and
 * PostgreSQL in processor time: `npx tsx bench/history/small-pages.ts [rows]` (a million without an argument).
 */
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Sql } from '../../src/lib/sql.ts'
import { usageOf } from '../load/processes.ts'
import { type Api, startApi } from './api.ts'
import { type Client, createClient } from './client.ts'
import { databaseOf } from './data.ts'
import { freshKeys } from './measure.ts'
import { startPostgres } from './postgres.ts'

const AS_OF = Date.UTC(2026, 9, 1)
const CLIENTS = 16
const KEYS = 1_600
const SECONDS = 10
/** A key regains the tokens of one round. */
const REFILL_MS = 2_500
const PROVIDERS = 20

type Bench = { sql: Sql; api: Api; client: Client; keys: string[] }

const postgres = await startPostgres()
try {
  await measure(Number(process.argv[2] ?? 1_000_000))
} finally {
  await postgres.stop()
}

async function measure(rows: number): Promise<void> {
  const { sql, url } = await databaseOf(postgres.url, rows)
  const keys = await freshKeys(sql, KEYS)
  const api = await startApi(url)
  const client = createClient(api.port, CLIENTS)
  const largest = await sql<{ provider: string }[]>`
    select provider from publication group by provider order by count(*) desc limit ${PROVIDERS}`
  const page = (n: number, asOf = AS_OF) =>
    `/v1/prices/history?limit=100&providers=${largest[n % largest.length]!.provider}&asOf=${new Date(asOf).toISOString()}`
  const bench = { sql, api, client, keys }
  try {
    await read(bench, () => page(0))
    console.log(`load ${loadavg()[0]!.toFixed(1)}`)
    console.log(`the same page: ${await read(bench, () => page(0))}`)
    console.log(`one of ${PROVIDERS}: ${await read(bench, (n) => page(n))}`)
    console.log(`each another: ${await read(bench, (n) => page(n, AS_OF - n * 1_000))}`)
  } finally {
    client.close()
    await api.stop()
    await sql.end()
  }
}

/** Reads for some seconds, each time with another key. Returns the rate, and what a page cost. */
async function read({ sql, api, client, keys }: Bench, path: (n: number) => string): Promise<string> {
  const backends = await sql<{ pid: number }[]>`
    select pid from pg_stat_activity where application_name = 'pricetape-api'`
  const used = () => [[api.pid], backends.map(({ pid }) => pid)].map((pids) => usageOf(pids).cpuSeconds)
  const [before, began] = [used(), performance.now()]
  const counts = { asked: 0, served: 0 }
  async function reader(): Promise<void> {
    while (performance.now() < began + SECONDS * 1_000) {
      const n = counts.asked++
      const { status } = await client.get(path(n), { authorization: `Bearer ${keys[n % keys.length]}` })
      if (status === 200) counts.served++
    }
  }
  await Promise.all(Array.from({ length: CLIENTS }, reader))
  const rate = counts.served / ((performance.now() - began) / 1_000)
  const costs = used().map((seconds, n) => (((seconds - before[n]!) * 1_000) / counts.asked).toFixed(2))
  await sleep(REFILL_MS)
  return `${rate.toFixed(0)} a second, ${counts.asked - counts.served} refused; API ${costs[0]} ms, PostgreSQL ${costs[1]} ms a page`
}
