import { DAY, type Instant, SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import type { Member } from './group-rules.ts'

/** A member is unpriced once its resource has not been seen priced for this long (specification, aliases listing). */
const UNPRICED_AFTER_MS = 7 * DAY

/** The aliases listing (specification, Alias group entry), but for what depends on who asks. */
export type AliasListing = {
  groups: {
    id: string
    resource: string
    revision: number
    updatedAt: Instant
    members: Member[]
    retired: boolean
  }[]
  version: number
  unpriced: { group: string; provider: string; resource: string; lastPricedAt: Instant | null }[]
  resources: {
    provider: string
    resource: string
    canonicalResource: string | null
    comparisonResource: string
  }[]
}

/**
 * Everything in one statement, so that version, revisions and members are of one moment. A member is listed unless its
 * provider is retired or all the sources that had its resource ended.
 */
export async function aliasListing(db: Db): Promise<AliasListing> {
  const [listing] = await db<[AliasListing]>`
    with provider_now as (
      select distinct on (provider) provider, status from provider_status order by provider, at desc
    ), seen as (
      select l.provider, l.resource, max(case
          when l.current_hash is null then null
          when l.removed_at is not null then least(l.removed_at, l.missing_since)
          else coalesce(l.missing_since, s.last_good_at, s.ingested_at) end) as last_priced_at
      from price_line l join source s using (source)
      where (l.provider, l.resource) in (select provider, resource from alias_member where left_at is null)
      group by l.provider, l.resource
    ), member as (
      select m.group_id, m.provider, m.resource, w.last_priced_at,
        coalesce(n.status <> 'retired', true) and (
          not exists (select from resource r where r.provider = m.provider and r.resource = m.resource)
          or exists (select from resource r join source s using (source)
                     where r.provider = m.provider and r.resource = m.resource and s.ended_at is null)) as listed
      from alias_member m
      left join provider_now n using (provider)
      left join seen w using (provider, resource)
      where m.left_at is null
    ), published as (
      select g.group_id, g.name, g.revision, g.updated_at,
        coalesce(json_agg(json_build_object('provider', m.provider, 'resource', m.resource)
                          order by m.provider collate "C", m.resource collate "C") filter (where m.listed), '[]') as members,
        bool_and(not m.listed) as retired
      from alias_group g join member m using (group_id)
      where g.deleted_at is null
      group by g.group_id
    ), known as (
      select r.provider, r.resource, min(r.canonical_resource collate "C") as canonical_resource
      from resource r
      where r.removed_at is null
      group by r.provider, r.resource
    ), grouped as (
      select m.provider, m.resource, min(p.name collate "C") as group_name
      from member m join published p using (group_id) group by m.provider, m.resource
    ), compared as (
      select * from known left join grouped using (provider, resource)
    )
    select
      coalesce((select json_agg(json_build_object('id', group_id, 'resource', name, 'revision', revision, 'updatedAt',
          to_char(updated_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'members', members, 'retired', retired)
          order by lower(name), group_id) from published), '[]') as groups,
      (select greatest(version, revision_floor())::int from alias_catalog) as version,
      coalesce((select json_agg(json_build_object('group', g.name, 'provider', m.provider, 'resource', m.resource,
          'lastPricedAt', to_char(m.last_priced_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
          order by lower(g.name), m.provider collate "C", m.resource collate "C")
        from member m join published g using (group_id)
        where m.listed and coalesce(
          m.last_priced_at < clock_timestamp() - make_interval(secs => ${UNPRICED_AFTER_MS / SECOND}), true)), '[]')
        as unpriced,
      coalesce((select json_agg(json_build_object('provider', provider, 'resource', resource,
          'canonicalResource', canonical_resource,
          'comparisonResource', coalesce(group_name, canonical_resource, resource))
          order by provider collate "C", resource collate "C") from compared), '[]') as resources`
  return listing!
}
