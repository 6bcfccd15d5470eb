import type { Db } from '../../lib/sql.ts'
import type { ListedElsewhere } from './authority-rules.ts'

/** Returns a number that rises with every publication of another source. */
export async function versionElsewhere(db: Db, source: string): Promise<string> {
  const [row] = await db<{ version: string }[]>`
    select coalesce(sum(price_version), 0)::text as version from source where source <> ${source}`
  return row!.version
}

/** Returns which kinds of prices these resources of other sources have. */
export async function kindsListed(db: Db, listed: ListedElsewhere[]): Promise<string[]> {
  const rows = await db<{ kind: string }[]>`
    select distinct price_kind(l.provider, l.dimension, l.pricing_tier) as kind
    from jsonb_to_recordset(${db.json(listed)}::jsonb) as e (source text, provider text, resource text)
    join price_line l on (l.source, l.provider, l.resource) = (e.source, e.provider, e.resource)
    where l.current_hash is not null and l.removed_at is null`
  return rows.map(({ kind }) => kind)
}
