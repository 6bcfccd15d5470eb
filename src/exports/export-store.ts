import type { Instant } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import type { ListedNames, StoredPeriod } from './line-rules.ts'

/** Reads the periods of rows, those of a row in their order; with providers, only of theirs. */
export function periodsOf(sql: Sql, hashes: string[], providers: string[] | undefined): Promise<StoredPeriod[]> {
  return sql<StoredPeriod[]>`
    select p.content_hash as "contentHash", p.body, p.published_at as "publishedAt", p.unpublished_at as "unpublishedAt",
           r.effective_from as "effectiveFrom", r.canonical_resource as "canonicalResource", r.category,
           r.billing_condition as "billingCondition"
    from publication p join price_row r on r.content_hash = p.content_hash
    where p.content_hash = any (${hashes}::text[])
      and (${providers ?? null}::text[] is null or p.provider = any (${providers ?? null}::text[]))
    order by p.content_hash, p.published_at`
}

/** Reads the names that are listed at an instant for former ones. */
export async function listedNamesAt(sql: Sql, at: Instant): Promise<ListedNames> {
  const [row] = await sql<{ names: ListedNames | null }[]>`
    select listed_names as names from renamed_at(${at}, null)`
  return row?.names ?? {}
}
