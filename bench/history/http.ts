/**
 * Measures the price history as clients meet it: `npx tsx bench/history/http.ts [rows]` (a million without an argument;
 * needs psql, pgbench and gzip, and runs the API from `dist` when `npm run build` has made it). Its last results are in
 * README.md beside it.
 */
import { execFileSync } from 'node:child_process'
import { loadavg } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { API_CODE, type Api, startApi } from './api.ts'
import { type Client, createClient } from './client.ts'
import { databaseOf } from './data.ts'
import { copyTimes, freshKeys, PAGE_ROWS, spread } from './measure.ts'
import { pageStatement, pgbench } from './pgbench.ts'
import { startPostgres } from './postgres.ts'

const AS_OF = '2026-10-01T00:00:00.000Z' as Instant
const ROUNDS = 20
const CLIENTS = 16
const SECONDS = 5
const SMALL_PAGE_ROWS = 100
/** A workspace of eight keys regains the tokens of one round. */
const REFILL_MS = 1_000
const PATH = '/v1/prices/history'

type Bench = { sql: Sql; databaseUrl: string; api: Api; client: Client; provider: string }

const rows = Number(process.argv[2] ?? 1_000_000)
console.log(`load ${loadavg()[0]!.toFixed(1)}, node ${process.versions.node}, API from ${API_CODE.at(-1)}`)
const postgres = await startPostgres()
try {
  await measure()
} finally {
  await postgres.stop()
}

async function measure(): Promise<void> {
  const { sql, url: databaseUrl } = await databaseOf(postgres.url, rows)
  const [large] = await sql<{ provider: string }[]>`
    select provider from publication group by provider order by count(*) desc limit 1`
  await freshKeys(sql, 1)
  const api = await startApi(databaseUrl)
  const client = createClient(api.port, CLIENTS)
  const bench = { sql, databaseUrl, api, client, provider: large!.provider }
  console.log(`${rows} rows; the API process takes ${(await api.memory()).toFixed(0)} MB at rest`)
  try {
    await firstPages(bench)
    await codings(bench)
    await smallPages(bench)
    await walk(bench)
  } finally {
    client.close()
    await api.stop()
    await sql.end()
  }
}

function print(name: string, times: number[], more = ''): void {
  const { p50, p99 } = spread(times)
  console.log(`  ${name.padEnd(40)} ${p50.toFixed(1)} / ${p99.toFixed(1)} ms${more}`)
}

/** A page that no one read since the API started, the same page again, and 304. */
async function firstPages({ sql, client, provider }: Bench): Promise<void> {
  const headers = { authorization: `Bearer ${(await freshKeys(sql, 1))[0]}` }
  const path = `${PATH}?providers=${provider}&asOf=${AS_OF}&limit=${PAGE_ROWS}`
  const cold = await client.get(path, headers)
  print(`first page after the start, ${PAGE_ROWS} rows`, [cold.ms])
  const keys = await freshKeys(sql, Math.ceil(ROUNDS / 2))
  const [warm, known]: [number[], number[]] = [[], []]
  for (let n = 0; n < ROUNDS; n++) {
    const authorization = `Bearer ${keys[Math.floor(n / 2)]}`
    warm.push((await client.get(path, { authorization })).ms)
    const answer = await client.get(path, { authorization, 'if-none-match': cold.headers.etag! })
    if (answer.status !== 304) throw new Error(`expected 304, got ${answer.status}`)
    known.push(answer.ms)
  }
  print('the same page again', warm)
  print('304', known)
}

/** 10,000 rows in each coding, each page at an instant of its own, beside COPY and gzip of the same bytes. */
async function codings({ sql, databaseUrl, client, provider }: Bench): Promise<void> {
  const copies = copyTimes(databaseUrl, `provider = '${provider}'`, AS_OF, Array(ROUNDS).fill(''))
  print(
    `COPY of ${PAGE_ROWS} rows`,
    copies.reduce((best, times) => (spread(times).p50 < spread(best).p50 ? times : best)),
  )
  let plain: Buffer = Buffer.alloc(0)
  for (const coding of ['identity', 'gzip', 'br', 'zstd']) {
    const keys = await freshKeys(sql, Math.ceil(ROUNDS / 4))
    const times: number[] = []
    let last = await page(0)
    for (let n = 1; n < ROUNDS; n++) last = await page(n)
    if (coding === 'identity') plain = last.body
    const got = last.headers['content-encoding'] ?? 'identity'
    print(`page, accept-encoding: ${coding}`, times.slice(1), `, ${last.bytes} bytes (${got})`)

    async function page(n: number) {
      const asOf = new Date(Date.parse(AS_OF) + n).toISOString()
      const headers = { authorization: `Bearer ${keys[Math.floor(n / 4)]}`, 'accept-encoding': coding }
      const answer = await client.get(`${PATH}?providers=${provider}&asOf=${asOf}&limit=${PAGE_ROWS}`, headers)
      if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.body}`)
      times.push(answer.ms)
      return answer
    }
  }
  const times = Array.from({ length: ROUNDS }, () => {
    const started = performance.now()
    execFileSync('gzip', ['-6', '-c'], { input: plain, maxBuffer: plain.length })
    return performance.now() - started
  })
  const gzipped = execFileSync('gzip', ['-6', '-c'], { input: plain, maxBuffer: plain.length })
  print('gzip -6 of the same bytes', times, `, ${gzipped.length} bytes`)
}

/** Pages of 100 rows a second with key check and limits, against pgbench running the same select. */
async function smallPages({ sql, databaseUrl, client, provider }: Bench): Promise<void> {
  const request = { limit: SMALL_PAGE_ROWS, asOf: AS_OF, providers: [provider], after: '' }
  const statement = await pageStatement(sql, request)
  const alone = pgbench(databaseUrl, statement, CLIENTS, SECONDS)
  const keys = await freshKeys(sql, 1_600)
  const path = `${PATH}?providers=${provider}&asOf=${AS_OF}&limit=${SMALL_PAGE_ROWS}`
  // A key that a node sees for the first time costs two statements more: that is not what is measured here.
  await readWith(keys.length, Number.POSITIVE_INFINITY)
  await sleep(REFILL_MS)
  const counts = await readWith(Number.POSITIVE_INFINITY, SECONDS)
  const rate = counts.answered / SECONDS
  const share = `${((rate / alone) * 100).toFixed(0)} %`
  console.log(
    `  ${SMALL_PAGE_ROWS}-row pages: ${rate.toFixed(0)} a second with key check and limits (${counts.refused} refused); ` +
      `pgbench, the same select alone: ${alone.toFixed(0)}; ${share}`,
  )

  async function readWith(requests: number, seconds: number) {
    const counts = { answered: 0, refused: 0 }
    const until = performance.now() + seconds * 1_000
    let next = 0
    async function reader(): Promise<void> {
      while (next < requests && performance.now() < until) {
        const { status } = await client.get(path, { authorization: `Bearer ${keys[next++ % keys.length]}` })
        if (status === 200) counts.answered++
        else counts.refused++
      }
    }
    await Promise.all(Array.from({ length: CLIENTS }, reader))
    return counts
  }
}

/** The memory of the API process over a walk, plain and compressed. */
async function walk({ sql, api, client }: Bench): Promise<void> {
  for (const coding of ['identity', 'br']) {
    const keys = await freshKeys(sql, Math.ceil(rows / PAGE_ROWS / 4) + 1)
    const memory: number[] = [await api.memory()]
    let path: string | undefined = `${PATH}?asOf=${AS_OF}&limit=${PAGE_ROWS}`
    for (let n = 0; path; n++) {
      const headers = {
        authorization: `Bearer ${keys[Math.floor(n / 4)]}`,
        'accept-encoding': coding,
        accept: 'application/x-ndjson',
      }
      const answer = await client.get(path, headers)
      if (answer.status !== 200) throw new Error(`expected 200, got ${answer.status}: ${answer.body}`)
      memory.push(await api.memory())
      const cursor = answer.headers['pricetape-next-cursor']
      path = cursor === undefined ? undefined : `${PATH}?cursor=${cursor}&limit=${PAGE_ROWS}`
    }
    const at = [0, 1, 10, 50, memory.length - 1].filter((n) => n < memory.length)
    const texts = at.map((n) => `${memory[n]!.toFixed(0)} MB`)
    console.log(`  walk of ${rows} rows, ${coding}: memory before and after page ${at.slice(1)}: ${texts.join(', ')}`)
  }
}
