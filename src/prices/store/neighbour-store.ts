import type { Db } from '../../lib/sql.ts'
import type { LineIdentity } from '../schema.ts'

/** A published price beside a line: of the same resource, or of the same model at another seller. */
export type Neighbour = LineIdentity & { source: string; price: string; sameResource: boolean }

/** Returns the published prices beside a row's line: first those of its resource, then those of other sellers. */
export async function neighboursOf(db: Db, contentHash: string, limit: number): Promise<Neighbour[]> {
  return db<Neighbour[]>`
    with own as (
      select l.*, r.canonical_resource from price_row r join price_line l using (line_id)
      where r.content_hash = ${contentHash}
    )
    select n.source, n.provider, n.resource, n.dimension, n.unit, n.currency, n.pricing_tier as "pricingTier", c.price,
           (n.source, n.provider, n.resource) = (o.source, o.provider, o.resource) as "sameResource"
    from own o
    join price_line n on n.line_id <> o.line_id and n.removed_at is null
    join price_row c on c.content_hash = n.current_hash
    where (n.source, n.provider, n.resource) = (o.source, o.provider, o.resource)
       or (c.canonical_resource = o.canonical_resource and n.provider <> o.provider
           and (n.dimension, n.unit, n.currency, n.pricing_tier) = (o.dimension, o.unit, o.currency, o.pricing_tier))
    order by "sameResource" desc, n.dimension, n.pricing_tier, n.provider, n.source
    limit ${limit}`
}

/** The price of a line: the published one, or the one that waits where nothing is published yet. */
export type KnownPrice = LineIdentity & { price: string; waits: boolean; isMissing: boolean }

/** Returns the prices of some resources of a source, in the order of their names. */
export async function pricesOfResources(
  db: Db,
  { source, provider, resources }: { source: string; provider: string; resources: string[] },
  limit: number,
): Promise<KnownPrice[]> {
  return db<KnownPrice[]>`
    select l.provider, l.resource, l.dimension, l.unit, l.currency, l.pricing_tier as "pricingTier", r.price,
           l.current_hash is null as waits, l.missing_since is not null as "isMissing"
    from price_line l
    join price_row r on r.content_hash = coalesce(l.current_hash, l.held_hash)
    where l.source = ${source} and l.provider = ${provider} and l.resource = any(${resources}::text[])
      and l.removed_at is null
    order by l.resource, l.dimension, l.pricing_tier
    limit ${limit}`
}
