import type { Db } from '../lib/sql.ts'
import type { NamedResource } from './model-name-rules.ts'

/** Every resource that a source lists now, with the canonical ids its sources tell; retired providers' are left out. */
export async function listedResources(db: Db): Promise<NamedResource[]> {
  return [
    ...(await db<NamedResource[]>`
      select r.provider, r.resource,
             array_remove(array_agg(distinct r.canonical_resource), null) as "canonicalResources"
      from resource r
      where r.removed_at is null
        and 'retired' is distinct from
            (select status from provider_status p where p.provider = r.provider order by at desc limit 1)
      group by r.provider, r.resource
      order by r.provider collate "C", r.resource collate "C"`),
  ]
}
