import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** What a webhook filter can name for one provider (specification, Catalog answer). */
export type CatalogAnswer = {
  updatedAt: Instant | null
  resources: { resource: string; canonicalResource: string | null; dimensions: string[]; confirmedAt: Instant | null }[]
  docs: { doc: string; url: string }[]
}

/** Selects when all prices of the resource `r` were last confirmed: null where one never was, or is contradicted. */
const confirmedAt = (db: Db) => db`(
  select case when bool_and(line.at is not null) then min(line.at) end
  from (
    select case when c.contradicted_since is not null then null when not c.said then c.confirmed_at
                else (select max(f.at) from good_fetch f where f.source = l.source) end as at
    from price_line l
    left join row_confirmation c on c.content_hash = l.current_hash and c.until is null
    where l.provider = r.provider and l.resource = r.resource and l.removed_at is null and l.current_hash is not null
  ) line)`

/**
 * The catalog of a provider: resources listed now, under the names they have now, and documents that are declared, also
 * before their first text. Undefined for an unknown slug.
 */
export async function catalogAnswer(db: Db, provider: string): Promise<CatalogAnswer | undefined> {
  const [answer] = await db<CatalogAnswer[]>`
    with listed as (
      select r.resource, min(r.canonical_resource collate "C") as canonical_resource,
        array(select distinct l.dimension from price_line l
              where l.provider = r.provider and l.resource = r.resource and l.removed_at is null
                and l.current_hash is not null
              order by l.dimension) as dimensions,
        ${confirmedAt(db)} as confirmed_at
      from resource r
      where r.provider = ${provider} and r.removed_at is null
      group by r.provider, r.resource
    )
    select
      coalesce(
        (select json_agg(json_build_object('resource', resource, 'canonicalResource', canonical_resource,
                                           'dimensions', dimensions, 'confirmedAt', instant_text(confirmed_at)) order by resource collate "C") from listed),
        '[]') as resources,
      coalesce(
        (select json_agg(json_build_object('doc', d.document, 'url', d.url) order by d.document collate "C")
         from document d join source s on s.source = d.source and s.ended_at is null
         where d.provider = p.provider),
        '[]') as docs,
      greatest(
        (select max(greatest(r.first_priced_at, r.removed_at, r.changed_at)) from resource r where r.provider = p.provider),
        (select max(greatest(n.at, n.ended_at)) from resource_rename n where n.provider = p.provider),
        (select max(greatest(d.updated_at, s.ended_at)) from document d join source s using (source) where d.provider = p.provider)) as "updatedAt"
    from provider p where p.provider = ${provider}`
  return answer
}
