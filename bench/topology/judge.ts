import type { Sql } from '../../src/lib/sql.ts'
import type { Receiver } from './traffic.ts'

/** What became of all deliveries so far. */
export async function judge(sql: Sql, { posts }: Receiver) {
  const rows = await sql<{ id: string; status: string; unknown: number }[]>`
    select d.event_id as id, d.status, count(a.*) filter (where a.outcome = 'unknown')::int as unknown
    from delivery d left join attempt a using (delivery_id) group by d.delivery_id`
  const received = new Map<string, number>()
  for (const { id, status } of posts) if (status === 200) received.set(id, (received.get(id) ?? 0) + 1)
  const known = new Map(rows.map((row) => [row.id, row]))
  return {
    deliveries: rows.length,
    succeeded: rows.filter(({ status }) => status === 'succeeded').length,
    lost: rows.filter(({ id }) => !received.has(id)).length,
    /** Events that were accepted more than once. */
    doubled: [...received].filter(([, times]) => times > 1).length,
    /** Attempts whose worker died between the POST and its record: these alone may be repeated. */
    unknown: rows.reduce((sum, row) => sum + row.unknown, 0),
    doubledWithoutReason: [...received].filter(([id, times]) => times > 1 + (known.get(id)?.unknown ?? 0)).length,
    invented: [...received.keys()].filter((id) => !known.has(id)).length,
  }
}
