import type { Instant } from '../../lib/instant.ts'
import { type Sql, type Tx, withoutSorts } from '../../lib/sql.ts'

/** After every webhook of a slice. */
const LAST_ID = 'ffffffff-ffff-ffff-ffff-ffffffffffff'

/** Which of this many shards have deliveries that are due and unclaimed, in order. Paused webhooks' count too. */
export const shardsWithDue = (sql: Sql, now: Instant, of: number): Promise<number[]> =>
  withoutSorts(sql, (tx) => dueShards(tx, now, of))

async function dueShards(tx: Tx, now: Instant, of: number): Promise<number[]> {
  // Jumps in the index from webhook to webhook, and past the rest of a slice where one has something due.
  const rows = await tx<{ shard: number }[]>`
    with recursive look as (
      (select (uuid_hash(workspace_id) & 255) as slice, webhook_id, due_at from delivery
       where status = 'pending' and claimed_at is null
         and exists (select from delivery where status = 'pending' and claimed_at is null and due_at <= ${now})
       order by (uuid_hash(workspace_id) & 255), webhook_id, due_at, delivery_id limit 1)
      union all
      select next.slice, next.webhook_id, next.due_at
      from look
      cross join lateral (
        select (uuid_hash(workspace_id) & 255) as slice, webhook_id, due_at from delivery
        where status = 'pending' and claimed_at is null
          and ((uuid_hash(workspace_id) & 255), webhook_id)
              > (look.slice, case when look.due_at <= ${now} then ${LAST_ID}::uuid else look.webhook_id end)
        order by (uuid_hash(workspace_id) & 255), webhook_id, due_at, delivery_id limit 1) next
    )
    select distinct slice % ${of}::integer as shard from look where due_at <= ${now} order by shard`
  return rows.map(({ shard }) => shard)
}
