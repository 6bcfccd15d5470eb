import { epochMs, type Instant } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import type { Post } from './receiver.ts'
import type { Kind, Tenants } from './tenants.ts'

type Row = { webhookId: string; eventId: string; status: string; attempts: number; due: Instant; unknown: number }
export type DeliveryTotals = Record<Kind, { deliveries: number; succeeded: number; waiting: number; notYet: number }>

/** What became of every delivery, beside what the receivers saw, and everything that is wrong with it. */
export async function judge(sql: Sql, tenants: Tenants, posts: Post[]) {
  const rows = await sql<Row[]>`
    select d.webhook_id as "webhookId", d.event_id as "eventId", d.status, d.attempts, d.created_at as due,
           (select count(*)::int from attempt a where a.delivery_id = d.delivery_id and a.outcome = 'unknown') as unknown
    from delivery d`
  const seen = new Map<string, Post[]>()
  for (const post of posts) {
    const key = `${tenants.webhooks.get(post.path)?.id} ${post.id}`
    seen.set(key, [...(seen.get(key) ?? []), post])
  }
  const kinds = new Map([...tenants.webhooks].map(([path, { id, kind }]) => [id, { path, kind }]))
  const byKind: Partial<DeliveryTotals> = {}
  const wrong: string[] = []
  const lags: { kind: Kind; path: string; seconds: number }[] = []
  let doubled = 0
  for (const row of rows) {
    const { path, kind } = kinds.get(row.webhookId)!
    const received = seen.get(`${row.webhookId} ${row.eventId}`) ?? []
    seen.delete(`${row.webhookId} ${row.eventId}`)
    byKind[kind] ??= { deliveries: 0, succeeded: 0, waiting: 0, notYet: 0 }
    const counts = byKind[kind]
    counts.deliveries++
    if (row.status === 'succeeded') counts.succeeded++
    else if (row.status === 'pending') counts[row.attempts > 0 ? 'waiting' : 'notYet']++
    const accepted = received.filter(({ status }) => status === 200).length
    if (row.status === 'succeeded' && accepted === 0) wrong.push(`${path}: a success that no one received`)
    if (row.status === 'failed') wrong.push(`${path}: failed before its retries`)
    if (received.length > 1) doubled++
    if (received.length > Math.max(1, row.attempts) + row.unknown) wrong.push(`${path}: sent again without reason`)
    if (received[0]) lags.push({ kind, path, seconds: (received[0].at - epochMs(row.due)) / 1_000 })
  }
  if (seen.size > 0) wrong.push(`${seen.size} POSTs belong to no delivery`)
  const forged = posts.filter(({ verified }) => !verified).length
  if (forged > 0) wrong.push(`${forged} signatures did not verify`)
  return { byKind, wrong, lags, doubled, deliveries: rows.length }
}

export type Lags = Awaited<ReturnType<typeof judge>>['lags']

/** Returns the median, the 99th percentile and the largest of these numbers. */
export function spreadOf(numbers: number[], digits = 1) {
  const sorted = [...numbers].sort((a, b) => a - b)
  const at = (share: number) =>
    Number((sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN).toFixed(digits))
  return { count: sorted.length, p50: at(0.5), p99: at(0.99), max: at(1) }
}
