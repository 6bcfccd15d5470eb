import type { Db } from '../lib/sql.ts'
import type { ModelOf } from './group-rules.ts'

type Row = {
  provider: string
  resource: string
  group: string | null
  groupName: string | null
  canonical: string | null
}

/** Returns the models of all resources that are in a group, or whose maker is known, as they are now. */
export async function modelsOfResources(db: Db): Promise<ModelOf[]> {
  const rows = await db<Row[]>`
    with grouped as (
      select distinct on (m.provider, m.resource) m.provider, m.resource, g.group_id, g.name
      from alias_member m join alias_group g using (group_id)
      where m.left_at is null
      order by m.provider, m.resource, g.name collate "C"
    ), known as (
      select provider, resource, min(canonical_resource collate "C") as canonical
      from resource where canonical_resource is not null group by provider, resource
    )
    select provider, resource, group_id as "group", name as "groupName", canonical
    from known full join grouped using (provider, resource)`
  return rows.map(({ provider, resource, group, groupName, canonical }) => ({
    provider,
    resource,
    name: groupName ?? canonical!.slice(canonical!.indexOf('/') + 1),
    ...(group && { group }),
    ...(canonical && { canonical }),
  }))
}
