import type { Sql } from '../../src/lib/sql.ts'

/** What is served now, of every source: source, provider, resource, dimension, unit, tier, price. */
export async function servedLines(sql: Sql): Promise<string[][]> {
  const rows = await sql.unsafe(`
    select l.source, l.provider, l.resource, l.dimension, l.unit, l.pricing_tier, r.price::text
    from price_line l join price_row r on r.content_hash = l.current_hash
    where l.removed_at is null
    order by 2, 3, 4, 5, 6, 1`).values() // biome-ignore format: one statement
  return [...rows] as string[][]
}

/** The items to review, with the resources that each is about. */
export async function reviewItems(sql: Sql, { open }: { open: boolean }): Promise<object[]> {
  const rows = await sql`
    select v.review_id as id, v.source, v.provider, v.kind, v.reasons, v.opened_at as "openedAt",
           v.decided_at as "decidedAt", v.asks, v.detail->'resources' as resources,
           (select array_agg(distinct l.resource || ' ' || l.dimension)
            from review_row w join price_row r using (content_hash) join price_line l using (line_id)
            where w.review_id = v.review_id) as lines
    from review v where not ${open} or v.decided_at is null order by v.opened_at, v.review_id`
  return [...rows]
}
