import type { PendingQuery, Row } from 'postgres'
import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { isKept } from '../retention/retention-store.ts'
import type { WebhookRef } from '../schema.ts'
import type { DeliveryFilter } from './delivery-schema.ts'

/** Larger bodies are documents and lists of many prices: what they are about is searched, their text is not. */
const SEARCHED_BODY_BYTES = 16 * 1024

/** Deliveries `d` with their events `e`, each looked up by its key whatever the statistics say (README.md). */
export const deliveriesWithEvents = (db: Db): PendingQuery<Row[]> =>
  db`delivery d cross join lateral (select * from event where event.event_id = d.event_id limit 1) as e`

/** Selects what a filter asks for among deliveries `d` and their events `e`. An empty filter selects everything. */
export const meets = (db: Db, filter: DeliveryFilter): PendingQuery<Row[]> => db`
  ${hasStatus(db, filter.status)}
  and ${filter.type === undefined ? db`true` : db`e.type = ${filter.type}`}
  and ${filter.since === undefined ? db`true` : db`d.created_at >= ${filter.since}`}
  and ${filter.until === undefined ? db`true` : db`d.created_at < ${filter.until}`}
  and ${filter.search === undefined ? db`true` : contains(db, `%${filter.search.replace(/[\\%_]/g, '\\$&')}%`)}`

function hasStatus(db: Db, status: DeliveryFilter['status']): PendingQuery<Row[]> {
  if (status === undefined) return db`true`
  if (status === 'notSent') return db`d.not_sent is not null`
  return db`(d.status = ${status} and d.not_sent is null)`
}

/** Ids, names, what the body says, and what was answered, in any case of letters. */
const contains = (db: Db, pattern: string) => db`(
  e.event_id ilike ${pattern} or d.delivery_id::text ilike ${pattern} or e.document ilike ${pattern}
  or exists (select from unnest(e.resources) as name where name ilike ${pattern})
  or d.error ilike ${pattern}
  or (octet_length(e.body) <= ${SEARCHED_BODY_BYTES} and e.body ilike ${pattern})
  or exists (select from attempt a
             where a.delivery_id = d.delivery_id and (a.error ilike ${pattern} or a.response ilike ${pattern})))`

/** How many deliveries of a webhook meet a filter, counted up to `limit`. */
export async function countMatching(
  db: Db,
  { workspaceId, id }: WebhookRef,
  filter: DeliveryFilter,
  { limit, now }: { limit: number; now?: Instant },
): Promise<number> {
  const [row] = await db<{ count: number }[]>`
    select count(*)::integer as count from (
      select from ${deliveriesWithEvents(db)}
      where d.webhook_id = ${id} and d.workspace_id = ${workspaceId} and ${isKept(db, now)} and ${meets(db, filter)}
      limit ${limit}) as matching`
  return row!.count
}
