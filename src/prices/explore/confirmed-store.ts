import type { Instant } from '../../lib/instant.ts'
import type { Sql } from '../../lib/sql.ts'
import type { ConfirmedResource } from './pack-rules.ts'

/**
 * Returns the resources of sources whose current prices are all confirmed at an instant, and by whom: by the provider, or
 * else by independent sources. As the filter of the history has it (`history_rows`), for all rows at once.
 */
export async function confirmedResources(sql: Sql, asOf: Instant): Promise<ConfirmedResource[]> {
  return [
    ...(await sql<ConfirmedResource[]>`
      with said as materialized (
        select source, fresh, fresh and rank = 0 as "isNear", speaks_for from confirming_sources(${asOf})
      ), price as (
        select p.provider, p.resource, p.source,
               case when s."isNear" and (s.speaks_for is null or p.provider = any (s.speaks_for))
                    then c.content_hash is null or c.contradicted_since is null and (c.said or c.by_provider)
                    else coalesce(c.contradicted_since is null and c.by_provider, false) end as "byProvider",
               coalesce(c.contradicted_since is null and (c.independent or c.said and c.independent_of_own and s.fresh), false)
                 as independent
        from publication p
        left join said s using (source)
        left join row_confirmation c on c.content_hash = p.content_hash
          and c.since <= ${asOf} and (c.until is null or c.until > ${asOf})
        where p.published_at <= ${asOf} and (p.unpublished_at is null or p.unpublished_at > ${asOf})
          and c.superseded is not true
      )
      select provider, resource, source, case when bool_and("byProvider") then 'provider' else 'independent' end as by
      from price group by provider, resource, source
      having bool_and("byProvider" or independent)`),
  ]
}
