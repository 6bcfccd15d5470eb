import { MINUTE } from '../../src/lib/instant.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { RETRY_WAITS_MS } from '../../src/webhooks/attempts/retry-schedule-rules.ts'

/** An attempt is sent by the next check; it takes five seconds at most, as does the one before it in its turn. */
const SLACK_MS = MINUTE / 2

export type Ends = {
  webhooks: number
  paused: number
  deliveries: number
  succeeded: number
  failed: number
  notSent: number
  pending: number
  attempts: number
}

/** Returns what became of the deliveries of each kind of webhook. */
export async function endsOf(sql: Sql, kinds: Map<string, string>): Promise<Record<string, Ends>> {
  const rows = await sql<(Ends & { id: string; paused: number })[]>`
    select w.webhook_id as id, (w.state = 'paused')::int as paused, count(d.*)::int as deliveries,
           count(d.*) filter (where d.status = 'succeeded')::int as succeeded,
           count(d.*) filter (where d.status = 'failed' and d.not_sent is null)::int as failed,
           count(d.*) filter (where d.status = 'failed' and d.not_sent is not null)::int as "notSent",
           count(d.*) filter (where d.status = 'pending')::int as pending,
           (select count(*)::int from attempt a join delivery using (delivery_id)
            where delivery.webhook_id = w.webhook_id) as attempts
    from webhook w left join delivery d using (webhook_id) group by w.webhook_id`
  const ends: Record<string, Ends> = {}
  for (const { id, ...row } of rows) {
    const kind = kinds.get(id) ?? 'unknown'
    const sum = ends[kind] ?? {
      webhooks: 0,
      paused: 0,
      deliveries: 0,
      succeeded: 0,
      failed: 0,
      notSent: 0,
      pending: 0,
      attempts: 0,
    }
    for (const name of Object.keys(row) as (keyof typeof row)[]) sum[name] += row[name]
    sum.webhooks++
    ends[kind] = sum
  }
  return ends
}

/** Every retry comes after its wait, and at most one check later. Returns those that do not. */
export async function lateRetries(sql: Sql, checkMs: number): Promise<string[]> {
  const rows = await sql<{ number: number; after: number; count: number }[]>`
    select number, round(after)::float as after, count(*)::int
    from (select a.number, 1000 * extract(epoch from a.started_at - lag(a.finished_at) over
                   (partition by delivery_id, cycle order by number)) as after
          from attempt a) waits
    where number > 1 group by 1, 2`
  const wrong = rows.filter(({ number, after }) => {
    const wait = RETRY_WAITS_MS[number - 2]!
    return after < wait || after > wait + checkMs + SLACK_MS
  })
  const byNumber = RETRY_WAITS_MS.map((wait, n) => {
    const late = rows.filter(({ number }) => number === n + 2).map(({ after }) => (after - wait) / 1_000)
    return {
      retry: n + 1,
      count: late.length,
      'earliest s late': Math.min(...late),
      'latest s late': Math.max(...late),
    }
  })
  console.table(byNumber)
  return wrong.map(
    ({ number, after, count }) => `attempt ${number} of ${count} deliveries came ${after} ms after a failure`,
  )
}
