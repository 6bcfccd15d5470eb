import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

/** Returns when a source said this before it said something else; undefined when it never did, or says it still. */
export async function saidBefore(db: Db, source: string, content: string): Promise<Instant | undefined> {
  const [row] = await db<{ at: Instant }[]>`
    select i.ingested_at as at from ingested_content i
    where i.source = ${source} and i.content = ${content}
      and exists (select from ingested_content later where later.source = i.source and later.ingested_at > i.ingested_at)`
  return row?.at
}

/** Records that a source says this now. */
export async function recordContent(tx: Tx, source: string, content: string, at: Instant): Promise<void> {
  await tx`
    insert into ingested_content (source, content, ingested_at) values (${source}, ${content}, ${at})
    on conflict (source, content) do update set ingested_at = excluded.ingested_at`
}
