import type { Instant } from '../../lib/instant.ts'
import { type Db, unprepared } from '../../lib/sql.ts'
import type { ResourceName } from '../staging/compare-store.ts'
import type { CompleteList } from './complete-rules.ts'
import { isRead, standsBefore } from './order-store.ts'

/** Selects whether a source says all that a provider sells, and has been read as such. */
const isComplete = (db: Db, source: string, provider: string) => db`
  (${db(source)}.complete and ${db(source)}.complete_from is not null and ${db(provider)} = any(${db(source)}.speaks_for))`

/** Selects whether a source lists something of a provider that has no output to pay for, such as an embedding. */
const listsInputAlone = (db: Db, source: string, provider: string) => db`
  exists (
    select from price_line l
    where l.source = ${db(source)}.source and l.provider = ${db(provider)} and l.current_hash is not null
      and l.removed_at is null
    group by l.resource having not bool_or(starts_with(l.dimension, 'output_')))`

/** Returns the complete lists that stand before a source, for the providers of its snapshot. */
export async function completeLists(db: Db, table: string, source: string, now: Instant): Promise<CompleteList[]> {
  const rows = await unprepared(db)<CompleteList[]>`
    select p.provider, other.source, ${listsInputAlone(db, 'other', 'p.provider')} as "inputAlone"
    from (select distinct provider from ${db(table)}) p
    join source mine on mine.source = ${source}
    join source other on other.source <> ${source} and not other.witness and ${isComplete(db, 'other', 'p.provider')}
      and ${isRead(db, 'other', now)} and ${standsBefore(db, 'other', 'mine', db`p.provider`)}`
  return [...rows]
}

/** Returns the providers whose complete list a source is; before it was read as such, too. */
export async function ownCompleteProviders(db: Db, source: string): Promise<Set<string>> {
  const rows = await db<{ provider: string }[]>`
    select unnest(speaks_for) as provider from source where source = ${source} and complete`
  return new Set(rows.map(({ provider }) => provider))
}

/** Returns the resources of a snapshot that have prices, none of them for output. */
export async function inputAlone(db: Db, table: string): Promise<ResourceName[]> {
  const rows = await unprepared(db)<ResourceName[]>`
    select provider, resource from ${db(table)} where price is not null
    group by 1, 2 having not bool_or(starts_with(dimension, 'output_'))`
  return [...rows]
}

/** Selects whether a source is the complete list of the provider of the evidence `w`: what others show there says nothing. */
export const saysItAll = (db: Db, source: string) => db`
  exists (select from source mine where mine.source = ${source} and ${isComplete(db, 'mine', 'w.provider')})`

/** Selects whether a complete list that stands before a source decides about the evidence `w`. */
export const isDecidedByComplete = (db: Db, source: string, now: Instant) => db`
  exists (
    select from source other join source mine on mine.source = ${source}
    where not other.witness and ${isComplete(db, 'other', 'w.provider')} and ${isRead(db, 'other', now)}
      and ${standsBefore(db, 'other', 'mine', db`w.provider`)})`
