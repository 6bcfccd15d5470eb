import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { RANKS, type Rank } from '../schema.ts'
import type { ShownFact, StatedFact } from './fact-schema.ts'

/** A fact with the place of its source. */
export type PlacedFact = StatedFact & { rank: number; position: number | null }

/** Where a source stands among others. */
export type SourcePlace = { rank: Rank; speaksFor: string[] | null; position: number | null }

export async function placeOfSource(db: Db, source: string): Promise<SourcePlace | undefined> {
  const [row] = await db<SourcePlace[]>`
    select (${[...RANKS]}::text[])[rank + 1] as rank, speaks_for as "speaksFor", position from source where source = ${source}`
  return row
}

const stated = (db: Db, facts: PlacedFact[]) => db`
  jsonb_to_recordset(${db.json(facts)}::jsonb)
    as s (provider text, resource text, fact text, value text, rank smallint, position integer)`

/** Selects whether a fact in force is the same as one that is stated now. */
const isSame = (db: Db) => db`
  (f.provider, f.resource, f.fact, f.value, f.rank) = (s.provider, s.resource, s.fact, s.value, s.rank)
    and f.position is not distinct from s.position`

/** Returns whether a source states something else than what is in force. */
export async function statesNews(db: Db, source: string, facts: PlacedFact[]): Promise<boolean> {
  const [row] = await db<{ same: number; inForce: number }[]>`
    select (select count(*)::integer from ${stated(db, facts)}
            join resource_fact f on f.source = ${source} and f.ended_at is null and ${isSame(db)}) as same,
           (select count(*)::integer from resource_fact where source = ${source} and ended_at is null) as "inForce"`
  return row!.same !== facts.length || row!.inForce !== facts.length
}

/** Makes exactly these the facts of a source. One that is stated again, from another place, keeps since when it is. */
export async function replaceFacts(tx: Tx, source: string, at: Instant, facts: PlacedFact[]): Promise<void> {
  await tx`
    update resource_fact f set ended_at = ${at}
    where f.source = ${source} and f.ended_at is null
      and not exists (select from ${stated(tx, facts)} where ${isSame(tx)})`
  await tx`
    insert into resource_fact (source, provider, resource, fact, value, rank, position, at, stated_since)
    select ${source}, s.provider, s.resource, s.fact, s.value, s.rank, s.position, ${at},
           coalesce((select f.stated_since from resource_fact f
                     where f.source = ${source} and f.ended_at = ${at}
                       and (f.provider, f.resource, f.fact, f.value) = (s.provider, s.resource, s.fact, s.value)), ${at})
    from ${stated(tx, facts)}
    on conflict (source, provider, resource, fact) where ended_at is null do nothing`
}

type Names = { provider: string; resource: string }[]

/** Returns what was stated at an instant, of all resources or of these: of several sources the word of the nearest. */
export async function factsAt(db: Db, asOf: Instant, names?: Names): Promise<ShownFact[]> {
  const wanted = names
    ? db`and (provider, resource) in (select * from unnest(
        ${names.map(({ provider }) => provider)}::text[], ${names.map(({ resource }) => resource)}::text[]))`
    : db``
  return [
    ...(await db<ShownFact[]>`
      select distinct on (provider, resource, fact) provider, resource, fact, value, source, stated_since as "statedSince"
      from resource_fact
      where at <= ${asOf} and (ended_at is null or ended_at > ${asOf}) ${wanted}
      order by provider, resource, fact, rank, position nulls last, source`),
  ]
}

/** Ends what a source states, with the source. */
export async function endFacts(tx: Tx, source: string, at: Instant): Promise<void> {
  await tx`update resource_fact set ended_at = ${at} where source = ${source} and ended_at is null`
}
