import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { freshnessByProvider } from '../sources/freshness-store.ts'

/** A provider as operators see it: also retired ones, with where it is read and how much it sells. */
export type ProviderOverview = {
  provider: string
  name: string
  status: 'active' | 'pending' | 'retired'
  since: Instant
  /** Of its prices, as the directory has it. */
  freshness: 'fresh' | 'stale' | 'unknown'
  lastCheckedAt: Instant | null
  sources: string[]
  resources: number
}

/** Every provider, by slug. */
export async function providerOverview(db: Db): Promise<ProviderOverview[]> {
  return [
    ...(await db<ProviderOverview[]>`
      with read as (
        select provider, array_agg(source order by source) as sources from source_provider join source s using (source)
        where s.ended_at is null group by provider
      ), checked as (${freshnessByProvider(db)}), listed as (
        select provider, count(distinct resource)::int as resources from resource where removed_at is null
        group by provider
      )
      select p.provider, p.name, now.status, now.at as since,
        coalesce(c.freshness, 'unknown') as freshness, c.last_checked_at as "lastCheckedAt",
        coalesce(r.sources, '{}') as sources, coalesce(l.resources, 0) as resources
      from provider p
      cross join lateral (
        select s.status, s.at from provider_status s where s.provider = p.provider order by s.at desc limit 1
      ) now
      left join read r using (provider)
      left join checked c using (provider)
      left join listed l using (provider)
      order by p.provider collate "C"`),
  ]
}

/** Where a walk through matching resources is. */
export type SearchPosition = [rank: number, length: number, resource: string, provider: string]
export type FoundResource = { provider: string; resource: string; position: SearchPosition }

/** Returns listed resources whose name holds every word of a text: equal names first, then those that begin with it, short before long. */
export async function resourcesMatching(
  db: Db,
  text: string,
  { after, limit }: { after?: SearchPosition; limit: number },
): Promise<FoundResource[]> {
  const lower = text.toLowerCase()
  const words = lower.split(/\s+/).filter(Boolean)
  const [rank, length, resource, provider] = after ?? [-1, -1, '', '']
  return [
    ...(await db<FoundResource[]>`
      select provider, resource, jsonb_build_array(rank, length, resource, provider) as position
      from (
        select distinct provider, resource, char_length(resource) as length,
          case when lower(resource) = ${lower} then 0 when starts_with(lower(resource), ${lower}) then 1 else 2 end as rank
        from resource where removed_at is null
          and (select bool_and(strpos(lower(resource), word) > 0) from unnest(${words}::text[]) as word)
      ) found
      where (rank, length, resource collate "C", provider collate "C")
          > (${rank}::int, ${length}::int, ${resource} collate "C", ${provider} collate "C")
      order by rank, length, resource collate "C", provider collate "C" limit ${limit}`),
  ]
}

export async function findProviders(
  db: Db,
  text: string,
  limit: number,
): Promise<{ provider: string; name: string }[]> {
  const lower = text.toLowerCase()
  return [
    ...(await db<{ provider: string; name: string }[]>`
      select provider, name from provider
      where strpos(lower(name), ${lower}) > 0 or strpos(provider, ${lower}) > 0
      order by not starts_with(lower(name), ${lower}), char_length(name), provider limit ${limit}`),
  ]
}
