import type { Instant } from '../../lib/instant.ts'
import type { Db, Sql, Tx } from '../../lib/sql.ts'
import { endFacts } from '../facts/fact-store.ts'

export type UndeclaredSource = { source: string; undeclaredAt: Instant }

/** The sources that are not declared any more and did not end yet, by name. */
export async function undeclaredSources(db: Db): Promise<UndeclaredSource[]> {
  return [
    ...(await db<UndeclaredSource[]>`
      select source, undeclared_at as "undeclaredAt" from source
      where not declared and undeclared_at is not null and ended_at is null order by source collate "C"`),
  ]
}

/** Those of them of which there is something to read: prices, or a document. */
export async function servedUndeclared(db: Db): Promise<UndeclaredSource[]> {
  return [
    ...(await db<UndeclaredSource[]>`
      select s.source, s.undeclared_at as "undeclaredAt" from source s
      where not s.declared and s.undeclared_at is not null and s.ended_at is null
        and (exists (select from resource r where r.source = s.source and r.removed_at is null)
          or exists (select from document d where d.source = s.source))
      order by s.source collate "C"`),
  ]
}

/**
 * Notes since when sources are not declared, and that those declared again have not ended. Returns the sources that are
 * not declared since now.
 */
export async function noteDeclared(sql: Sql, now: Instant): Promise<string[]> {
  const noted = await sql<{ source: string; declared: boolean }[]>`
    update source
    set undeclared_at = case when not declared then ${now}::timestamptz end,
        ended_at = case when not declared then ended_at end
    where declared = (undeclared_at is not null) or (declared and ended_at is not null)
    returning source, declared`
  return noted.filter(({ declared }) => !declared).map(({ source }) => source)
}

/** Locks a source that is to end, and makes plans on its lines stale. Returns false when it is declared, or has ended. */
export async function lockUndeclared(tx: Tx, source: string): Promise<boolean> {
  const locked = await tx`
    update source set price_version = price_version + 1
    where source = ${source} and not declared and ended_at is null returning 1`
  return locked.length === 1
}

/** Records that a source ended. Should it be declared again, its list is read although it says the same. Returns its providers. */
export async function recordEnded(tx: Tx, source: string, at: Instant): Promise<string[]> {
  await tx`update source set ended_at = ${at}, read_again = true where source = ${source}`
  await endFacts(tx, source, at)
  const named = await tx<{ provider: string }[]>`select provider from source_provider where source = ${source}`
  return named.map(({ provider }) => provider)
}

export type ListedResource = {
  provider: string
  resource: string
  /** Another source lists it too. */
  elsewhere: boolean
}

/** Resources that a source lists, in the order of their names. */
export async function resourcesOfSource(db: Db, source: string, limit: number): Promise<ListedResource[]> {
  return [
    ...(await db<ListedResource[]>`
      select r.provider, r.resource,
        exists (select from resource o join source s on s.source = o.source and s.ended_at is null
                where (o.provider, o.resource) = (r.provider, r.resource) and o.source <> r.source
                  and o.removed_at is null) as elsewhere
      from resource r where r.source = ${source} and r.removed_at is null
      order by r.provider, r.resource limit ${limit}`),
  ]
}
