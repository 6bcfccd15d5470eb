import { execFile, execFileSync } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { createApiKey } from '../../src/accounts/keys/create-api-key.ts'
import { createWorkspace } from '../../src/accounts/workspaces/create-workspace.ts'
import type { Sql } from '../../src/lib/sql.ts'

/** PostgreSQL's own client, found on PATH. */
const PSQL: string = 'psql'
export const PAGE_ROWS = 10_000
/** A key's history bucket holds five: each key is used four times, so that no page waits. */
const PAGES_PER_KEY = 4
const KEYS_PER_WORKSPACE = 8

export type Spread = { p50: number; p99: number }
export function spread(times: number[]): Spread {
  const sorted = [...times].sort((a, b) => a - b)
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))]!
  return { p50: at(0.5), p99: at(0.99) }
}

/** Keys whose buckets are full. */
export async function freshKeys(sql: Sql, count: number): Promise<string[]> {
  const keys: string[] = []
  while (keys.length < count) {
    const { workspaceId } = await createWorkspace(sql, { name: 'bench' })
    for (let n = 0; n < KEYS_PER_WORKSPACE; n++) keys.push((await createApiKey(sql, { workspaceId, name: 'k' })).key)
  }
  return keys
}

const run = promisify(execFile)

/**
 * Walks page by page over HTTP, each page read by a curl of its own, as psql reads COPY. Returns the time of each page,
 * the rows on it and this process's memory (the server's) after it.
 */
export async function walk(sql: Sql, url: string, query: string, pages: number) {
  const keys = await freshKeys(sql, Math.ceil((pages + 1) / PAGES_PER_KEY))
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-pages-'))
  const file = join(folder, 'page.json')
  const times: number[] = []
  const memory: number[] = []
  const rows: number[] = []
  let cursor = ''
  do {
    const path = cursor ? `cursor=${cursor}` : query
    const key = keys[Math.floor(times.length / PAGES_PER_KEY)]
    const options = ['-sS', '--fail', '-o', file, '-w', '%{time_total}', '-H', `authorization: Bearer ${key}`]
    const { stdout } = await run('curl', [...options, `${url}/v1/prices/history?${path}&limit=${PAGE_ROWS}`])
    times.push(Number(stdout) * 1_000)
    memory.push(process.memoryUsage().rss)
    const body = await readFile(file, 'latin1')
    rows.push(body.split('{"provider":').length - 1)
    cursor = /"nextCursor":"([^"]+)"/.exec(body.slice(0, 32_000))?.[1] ?? ''
  } while (cursor && times.length < pages)
  await rm(folder, { recursive: true })
  return { times, memory, rows }
}

/** The ways COPY is tried, in one session each: as the planner likes it, and as an ordered walk of an index. */
const PLANS = [[], ['set enable_sort = off', 'set enable_bitmapscan = off', 'set max_parallel_workers_per_gather = 0']]

/** Times of COPY of the same rows to psql, one list for each of the plans. */
export function copyTimes(databaseUrl: string, where: string, asOf: string, starts: string[]): number[][] {
  const commands = starts.flatMap((after) => [
    '-c',
    `\\copy (select body from publication where ${where} and published_at <= '${asOf}' and (unpublished_at is null or unpublished_at > '${asOf}') and content_hash > '${after}' order by content_hash limit ${PAGE_ROWS}) to /dev/null`,
  ])
  return PLANS.map((settings) => {
    const all = [...settings.flatMap((setting) => ['-c', setting]), '-c', '\\timing on', ...commands]
    const out = execFileSync(PSQL, ['-q', '-X', databaseUrl, ...all]).toString()
    return [...out.matchAll(/Time: ([\d.]+)/g)].map((match) => Number(match[1]))
  })
}

/** Requests answered per second while keys are checked and limits taken, this many at a time. */
export async function requestsPerSecond(sql: Sql, url: string, atOnce: number, ms: number): Promise<number> {
  const keys = await freshKeys(sql, 200)
  const until = performance.now() + ms
  let answered = 0
  const client = async () => {
    while (performance.now() < until) {
      const authorization = `Bearer ${keys[answered++ % keys.length]}`
      await (await fetch(`${url}/v1/catalog`, { headers: { authorization } })).arrayBuffer()
    }
  }
  await Promise.all(Array.from({ length: atOnce }, client))
  return answered / (ms / 1_000)
}
