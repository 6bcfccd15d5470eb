import type { Instant } from '../lib/instant.ts'
import type { Tx } from '../lib/sql.ts'

export type ResourceSeen = {
  provider: string
  resource: string
  canonicalResource?: string
  category?: string
}

/** Lists resources of a source, again or for the first time. Answers those no source had ever priced before. */
export async function listResources(
  tx: Tx,
  source: string,
  seen: ResourceSeen[],
  at: Instant,
): Promise<{ provider: string; resource: string }[]> {
  if (seen.length === 0) return []
  const added = await tx<{ provider: string; resource: string }[]>`
    select s.provider, s.resource
    from jsonb_to_recordset(${tx.json(seen)}::jsonb) as s (provider text, resource text)
    where not exists (select from resource r where r.provider = s.provider and r.resource = s.resource)`
  await tx`
    insert into resource as r (source, provider, resource, canonical_resource, category, first_priced_at)
    select ${source}, s.provider, s.resource, s."canonicalResource", s.category, ${at}
    from jsonb_to_recordset(${tx.json(seen)}::jsonb)
      as s (provider text, resource text, "canonicalResource" text, category text)
    on conflict (source, provider, resource) do update
    set canonical_resource = excluded.canonical_resource, category = excluded.category, removed_at = null`
  return added
}
