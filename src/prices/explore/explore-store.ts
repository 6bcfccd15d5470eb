import { AS_OF_DELAY_MS } from '../../catalog/clock/clock-rules.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'

/** The instants that prices can be read at. */
export type RecordedRange = {
  /** The newest instant that may be read now, in whole minutes: readers of one minute share an answer. */
  newest: Instant
  /** When the first price was published; absent while there is none. */
  first?: Instant
}

/** How far prices are published. Everything up to `published` is known and closed. */
type PublicationProgress = {
  published: Instant
  /** When a price was published or ended last, where that is not final yet. */
  changed?: Instant
}

export async function recordedRange(sql: Sql): Promise<{ range: RecordedRange } & PublicationProgress> {
  const [row] = await sql<{ newest: Instant; first: Instant | null; published: Instant; changed: Instant | null }[]>`
    with instant as (
      select date_trunc('minute', clock_timestamp() - ${`${AS_OF_DELAY_MS} ms`}::interval) as newest,
             (select last_stamp from publication_clock) as published
    )
    select newest, published,
           (select published_at from publication order by published_at limit 1) as first,
           greatest((select max(published_at) from publication where published_at > newest and published_at <= published),
                    (select max(unpublished_at) from publication where unpublished_at > newest and unpublished_at <= published)
           ) as changed
    from instant`
  const { newest, first, published, changed } = row!
  return { range: { newest, ...(first && { first }) }, published, ...(changed && { changed }) }
}

/** Returns what each price of a machine, or of a GPU in it, says of its GPUs, by contentHash. */
export async function gpuConditions(sql: Sql, asOf: Instant): Promise<Map<string, string>> {
  const rows = await sql<{ contentHash: string; condition: string }[]>`
    select p.content_hash as "contentHash", r.billing_condition as condition
    from publication p join price_row r using (content_hash)
    where p.dimension in ('gpu_hours', 'instance_hours') and p.published_at <= ${asOf}
      and (p.unpublished_at is null or p.unpublished_at > ${asOf}) and r.billing_condition is not null`
  return new Map(rows.map(({ contentHash, condition }) => [contentHash, condition]))
}

export const providerNames = async (sql: Sql): Promise<Record<string, string>> => {
  const rows = await sql<{ provider: string; name: string }[]>`select provider, name from provider`
  return Object.fromEntries(rows.map(({ provider, name }) => [provider, name]))
}
