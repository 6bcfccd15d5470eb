import type { Db } from '../../lib/sql.ts'

/** A price that changed, as the start screen shows it. */
export type PriceChange = {
  provider: string
  resource: string
  dimension: string
  /** A day at whose beginning the price before was still in force. */
  day: string
  before: string
  now: string
}
/** What many providers sell, and what its maker asks for it. */
export type MakersOffer = { group: string; dimension: string; sellers: number; provider: string; price: string }

/**
 * Returns the change that says most: of a price that a maker asks for its own model, of the model that most providers
 * sell, the newest. A model with several prices at once would need an explanation. Undefined while no price has changed.
 */
export async function exampleChange(db: Db): Promise<PriceChange | undefined> {
  const [row] = await db<PriceChange[]>`
    select l.provider, l.resource, l.dimension, to_char(n.recorded_at at time zone 'UTC', 'YYYY-MM-DD') as day,
           trim_scale(o.price)::text as before, trim_scale(n.price)::text as now
    from price_line l
    join price_row n on n.content_hash = l.current_hash
    join lateral (
      select price, recorded_at from price_row o
      where o.line_id = l.line_id and o.recorded_at < n.recorded_at
        and exists (select from publication p where p.content_hash = o.content_hash)
      order by recorded_at desc limit 1
    ) o on o.price <> n.price and o.recorded_at < date_trunc('day', n.recorded_at, 'UTC')
    cross join lateral (
      select count(distinct s.provider) as sellers from alias_member m join alias_member s using (group_id)
      where m.provider = l.provider and m.resource = l.resource and m.left_at is null and s.left_at is null
    ) s
    where l.removed_at is null and l.currency = 'USD' and l.pricing_tier = '{}'
      and l.dimension in ('input_tokens', 'output_tokens')
      and not exists (select from price_line t where t.source = l.source and t.provider = l.provider
                      and t.resource = l.resource and t.dimension = l.dimension and t.line_id <> l.line_id)
    order by starts_with(coalesce(n.canonical_resource, ''), l.provider || '/') desc, s.sellers desc, n.recorded_at desc,
             l.dimension desc, l.provider, l.resource
    limit 1`
  return row
}

/**
 * Returns what a maker asks for an output token of its own model: of the one that most providers sell. A seller's price
 * is a list's word until the seller's own page is read, so the start screen claims none. Undefined while there is no group.
 */
export async function exampleOffer(db: Db): Promise<MakersOffer | undefined> {
  const [row] = await db<MakersOffer[]>`
    with offer as (
      select g.group_id, g.name, l.provider, l.source, l.resource, l.dimension, r.price,
             starts_with(coalesce(r.canonical_resource, ''), l.provider || '/') as is_makers
      from alias_group g
      join alias_member m on m.group_id = g.group_id and m.left_at is null
      join price_line l on l.provider = m.provider and l.resource = m.resource
      join price_row r on r.content_hash = l.current_hash
      where g.deleted_at is null and l.removed_at is null and l.dimension = 'output_tokens'
        and l.unit = 'usd_per_token' and l.pricing_tier = '{}'
    ), sold as (
      select group_id, count(distinct provider)::int as sellers from offer group by group_id
    )
    select o.name as "group", o.dimension, s.sellers, o.provider, trim_scale(o.price)::text as price
    from offer o join sold s using (group_id)
    where o.is_makers
      and not exists (select from price_line t where t.source = o.source and t.provider = o.provider
                      and t.resource = o.resource and t.dimension = o.dimension and t.pricing_tier <> '{}')
    order by s.sellers desc, o.name, o.resource
    limit 1`
  return row
}
