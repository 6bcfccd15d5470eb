import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** Deletes what is recorded of items that no longer wait. */
export async function forgetNotices(sql: Db, waiting: string[]): Promise<void> {
  await sql`delete from operator_notice where item_id <> all(${waiting}::uuid[])`
}

/** Returns the items that operators were notified of through a channel. */
export async function notifiedItems(sql: Db, channel: string): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`select item_id as id from operator_notice where channel = ${channel}`
  return new Set(rows.map(({ id }) => id))
}

export async function recordNotice(sql: Db, channel: string, items: string[], at: Instant): Promise<void> {
  await sql`
    insert into operator_notice (item_id, channel, notified_at)
    select id, ${channel}, ${at} from unnest(${items}::uuid[]) as id
    on conflict do nothing`
}

/** Deletes what is recorded of sources that can be read again. */
export async function forgetSourceNotices(sql: Db, failing: string[]): Promise<void> {
  await sql`delete from source_notice where source <> all(${failing}::text[])`
}

/** Returns the sources that operators were notified of through a channel. */
export async function notifiedSources(sql: Db, channel: string): Promise<Set<string>> {
  const rows = await sql<{ source: string }[]>`select source from source_notice where channel = ${channel}`
  return new Set(rows.map(({ source }) => source))
}

export async function recordSourceNotice(sql: Db, channel: string, sources: string[], at: Instant): Promise<void> {
  await sql`
    insert into source_notice (source, channel, notified_at)
    select source, ${channel}, ${at} from unnest(${sources}::text[]) as source
    on conflict do nothing`
}
