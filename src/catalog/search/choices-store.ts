import type { Db } from '../../lib/sql.ts'

/** A provider that can be chosen, with its documents. */
export type ProviderChoice = {
  provider: string
  name: string
  /** Its prices are in credits: `*` does not cover them. */
  creditPriced: boolean
  documents: { document: string; title: string }[]
}

/** Every provider that is active or being added, by name. */
export async function providerChoices(db: Db): Promise<ProviderChoice[]> {
  return [
    ...(await db<ProviderChoice[]>`
      select p.provider, p.name,
             coalesce((select x.in_credits from provider_pricing x where x.provider = p.provider
                       order by x.at desc limit 1), false) as "creditPriced",
             (select coalesce(json_agg(json_build_object('document', d.document, 'title', d.title) order by d.title), '[]')
              from document d join source s on s.source = d.source and s.ended_at is null
              where d.provider = p.provider) as documents
      from provider p
      where coalesce((select s.status from provider_status s where s.provider = p.provider order by s.at desc limit 1),
                     'pending') <> 'retired'
      order by lower(p.name)`),
  ]
}

export type ResourceChoice = { provider: string; resource: string; canonicalResource: string | null }

/**
 * Resources whose name or canonical id contains a text, without regard to capitals: those that begin with it first,
 * then the shortest. `providers` left out: of every provider.
 */
export async function searchResources(
  db: Db,
  wanted: { search: string; providers?: string[]; limit: number },
): Promise<ResourceChoice[]> {
  const { search, providers = null, limit } = wanted
  return [
    ...(await db<ResourceChoice[]>`
      select provider, resource, min(canonical_resource collate "C") as "canonicalResource"
      from resource
      where removed_at is null
        and (${providers}::text[] is null or provider = any (${providers}::text[]))
        and (strpos(lower(resource), lower(${search})) > 0 or strpos(lower(canonical_resource), lower(${search})) > 0)
      group by provider, resource
      order by strpos(lower(resource), lower(${search})) <> 1, length(resource), provider collate "C",
               resource collate "C"
      limit ${limit}`),
  ]
}
