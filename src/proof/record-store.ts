import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** What is served of a row and when, and what its statuses say of that. */
export type ServedRecord = {
  contentHash: string
  /** Each text it was served as, without what depends on who approved it and which line it continues. */
  served: Record<string, unknown>[]
  published: Instant[]
  publishedByStatus: Instant[]
  ended: Instant[]
  endedByStatus: Instant[]
}

/** Returns what is served of rows, by their contentHash. */
export async function servedRecords(db: Db, hashes: string[]): Promise<Map<string, ServedRecord>> {
  if (hashes.length === 0) return new Map()
  const rows = await db<ServedRecord[]>`
    select h as "contentHash", p.served, p.published, p.ended, s.published as "publishedByStatus",
           s.ended as "endedByStatus"
    from unnest(${hashes}::text[]) as h
    cross join lateral (
      select
        -- What answers are narrowed by stands beside the text: it has to say the same.
        coalesce(jsonb_agg(distinct body::jsonb - 'approvalStatus' - 'continues' || jsonb_build_object(
          'by', jsonb_build_array(provider, source, resource, dimension, currency, canonical_resource,
                                  instant_text(recorded_at), content_hash))), '[]') as served,
        coalesce(array_agg(published_at order by published_at), '{}') as published,
        coalesce(array_agg(unpublished_at order by unpublished_at) filter (where unpublished_at is not null), '{}')
          as ended
      from publication where content_hash = h
    ) p
    cross join lateral (
      select
        coalesce(array_agg(at order by at) filter (where status in ('approved', 'auto_approved')), '{}') as published,
        coalesce(array_agg(at order by at) filter (where status in ('withdrawn', 'removed')), '{}') as ended
      from price_status where content_hash = h
    ) s`
  return new Map(rows.map((row) => [row.contentHash, row]))
}
