import { execFileSync } from 'node:child_process'
import { createApiKey } from '../../src/accounts/api-key-store.ts'
import { createWorkspace } from '../../src/accounts/workspace-store.ts'
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

/** Walks page by page over HTTP; answers the time of each page, the rows on it and the memory after it. */
export async function walk(sql: Sql, url: string, query: string, pages: number) {
  const keys = await freshKeys(sql, Math.ceil((pages + 1) / PAGES_PER_KEY))
  const times: number[] = []
  const memory: number[] = []
  const rows: number[] = []
  let cursor = ''
  for (let n = 0; n < pages; n++) {
    const started = performance.now()
    const path = cursor ? `cursor=${cursor}` : query
    const answer = await fetch(`${url}/v1/prices/history?${path}&limit=${PAGE_ROWS}`, {
      headers: { authorization: `Bearer ${keys[Math.floor(n / PAGES_PER_KEY)]}` },
    })
    const body = Buffer.from(await answer.arrayBuffer())
    times.push(performance.now() - started)
    if (!answer.ok) throw new Error(body.toString())
    rows.push(body.toString('latin1').split('{"provider":').length - 1)
    memory.push(process.memoryUsage().rss)
    cursor = /"nextCursor":"([^"]+)"/.exec(body.subarray(0, 12_000).toString())?.[1] ?? ''
    if (!cursor) break
  }
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
    const all = [...settings.flatMap((one) => ['-c', one]), '-c', '\\timing on', ...commands]
    const out = execFileSync(PSQL, ['-q', '-X', databaseUrl, ...all]).toString()
    return [...out.matchAll(/Time: ([\d.]+)/g)].map((match) => Number(match[1]))
  })
}

/** Requests answered per second while keys are checked and limits taken, so many at a time. */
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
