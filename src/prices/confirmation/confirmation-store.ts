import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import type { RowConfirmation, RowFacts } from './schema.ts'

/** What is recorded of a served row until now. */
export type OpenPeriod = Omit<RowConfirmation, 'contradictedSince'> & {
  contentHash: string
  contradictedSince: Instant | null
  superseded: boolean
  basis: string
}

/** Returns the open periods of rows. */
export const openPeriods = (tx: Tx, hashes: string[]): Promise<OpenPeriod[]> =>
  tx<OpenPeriod[]>`
    select content_hash as "contentHash", said, superseded, contradicted_since as "contradictedSince", agree, disagree,
           by_provider as "byProvider", independent, independent_of_own as "independentOfOwn", basis
    from row_confirmation where content_hash = any(${hashes}::text[]) and until is null`.then((rows) => [...rows])

/** Ends the open periods of these rows at an instant. One that began at it never was. */
export async function closePeriods(tx: Tx, at: Instant, hashes: string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx`delete from row_confirmation where content_hash = any(${hashes}::text[]) and until is null and since = ${at}`
  await tx`
    update row_confirmation set until = ${at} where content_hash = any(${hashes}::text[]) and until is null`
}

/** Ends what is recorded of rows of these lines that are served no longer. */
export async function closeUnserved(tx: Tx, at: Instant, lineIds: string[]): Promise<void> {
  const rows = await tx<{ hash: string }[]>`
    select content_hash as hash from row_confirmation c
    where line_id = any(${lineIds}::bigint[]) and until is null
      and not exists (select from publication p where p.content_hash = c.content_hash and p.unpublished_at is null)`
  await closePeriods(tx, at, rows.map(({ hash }) => hash)) // biome-ignore format: one thought
}

export type NewPeriod = RowConfirmation & Pick<RowFacts, 'contentHash' | 'lineId' | 'provider' | 'source' | 'basis'>

/** Selects when a source last said so of a row that it says otherwise of now: null where it never did, as far as is known. */
const lastSaid = (db: Db, at: Instant) => db`
  coalesce(
    (select c.confirmed_at from row_confirmation c
     where c.content_hash = n."contentHash" and c.until = ${at} and not c.said),
    (select f.at from good_fetch f
     where f.source = n.source and f.at < ${at}
       and f.at >= (select recorded_at from price_row r where r.content_hash = n."contentHash")
       and not exists (select from row_confirmation c
                       where c.content_hash = n."contentHash" and c.until = ${at} and not c.said)
     order by f.at desc limit 1))`

/** Begins periods of rows. */
export async function openNewPeriods(tx: Tx, at: Instant, periods: NewPeriod[]): Promise<void> {
  if (periods.length === 0) return
  await tx`
    insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, confirmed_at, contradicted_since,
                                  agree, disagree, by_provider, independent, independent_of_own, basis)
    select n."contentHash", ${at}, n."lineId", n.provider, n.source, n.said, false, case when not n.said then ${lastSaid(tx, at)} end,
           n."contradictedSince", n.agree, n.disagree, n."byProvider", n.independent, n."independentOfOwn", n.basis
    from jsonb_to_recordset(${tx.json(periods)}::jsonb) as n ("contentHash" text, "lineId" bigint, provider text, source text,
         said boolean, "contradictedSince" timestamptz(3), agree text, disagree text, "byProvider" boolean,
         independent boolean, "independentOfOwn" boolean, basis numeric)`
}

/**
 * Records of rows that are still served beside a newer one of their line that they are superseded. Their last
 * confirmation is that before it.
 */
export async function supersedeRows(tx: Tx, at: Instant, lineIds: string[]): Promise<void> {
  const old = await tx<{ contentHash: string; lineId: string; provider: string; source: string }[]>`
    select p.content_hash as "contentHash", p.line_id as "lineId", p.provider, p.source
    from publication p join price_line l using (line_id)
    where p.line_id = any(${lineIds}::bigint[]) and p.unpublished_at is null
      and (l.removed_at is not null or p.content_hash is distinct from l.current_hash)
      and not exists (select from row_confirmation c
                      where c.content_hash = p.content_hash and c.until is null and c.superseded)`
  if (old.length === 0) return
  await closePeriods(tx, at, old.map(({ contentHash }) => contentHash)) // biome-ignore format: one thought
  await tx`
    insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, confirmed_at, agree, disagree,
                                  by_provider, independent, independent_of_own, basis)
    select n."contentHash", ${at}, n."lineId", n.provider, n.source, false, true, ${lastSaid(tx, at)}, '', '', false, false, false, 0
    from jsonb_to_recordset(${tx.json(old as never)}::jsonb) as n ("contentHash" text, "lineId" bigint, provider text,
         source text)`
}

/** Returns the lines of a source whose confirmation by the source itself may have changed. */
export async function unsettledLines(tx: Tx, source: string): Promise<string[]> {
  const rows = await tx<{ lineId: string }[]>`
    select line_id as "lineId" from unsaid_line join price_line using (line_id) where source = ${source}
    union
    select line_id from row_confirmation
    where source = ${source} and until is null and not said and not superseded`
  return rows.map(({ lineId }) => lineId)
}

/** Makes exactly these the lines of which a source says something else than what is served. */
export async function replaceUnsaid(tx: Tx, source: string, lineIds: string[]): Promise<void> {
  await tx`
    delete from unsaid_line u using price_line l
    where l.line_id = u.line_id and l.source = ${source} and u.line_id <> all(${lineIds}::bigint[])`
  await markUnsaid(tx, lineIds)
}

/** Notes of lines whether their source says something else than what is served. */
export async function noteSaid(tx: Tx, { said, unsaid }: { said: string[]; unsaid: string[] }): Promise<void> {
  if (said.length > 0) await tx`delete from unsaid_line where line_id = any(${said}::bigint[])`
  await markUnsaid(tx, unsaid)
}

async function markUnsaid(tx: Tx, lineIds: string[]): Promise<void> {
  if (lineIds.length === 0) return
  await tx`
    insert into unsaid_line (line_id) select distinct unnest(${lineIds}::bigint[]) on conflict do nothing`
}

/** Returns what the last comparison with the evidence was made from. */
export async function lastBasis(db: Db): Promise<string | undefined> {
  const [row] = await db<{ basis: string }[]>`select basis from confirmation_pass`
  return row?.basis
}

export async function recordBasis(db: Db, basis: string): Promise<void> {
  await db`insert into confirmation_pass (basis) values (${basis})
    on conflict (one) do update set basis = excluded.basis`
}
