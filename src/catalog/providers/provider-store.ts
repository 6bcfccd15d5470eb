import { joinKey } from '../../lib/collections.ts'
import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { settleProviders } from './provider-status-store.ts'

export type SeenProvider = { provider: string; name: string }

/** Puts providers a source speaks of into the directory: new ones are pending until there is something to read of them. */
export async function seeProviders(tx: Tx, source: string, seen: SeenProvider[], at: Instant): Promise<void> {
  if (seen.length === 0) return
  await tx`
    with added as (
      insert into provider (provider, name, created_at)
      select s.provider, s.name, ${at}
      from jsonb_to_recordset(${tx.json(seen)}::jsonb) as s (provider text, name text)
      on conflict (provider) do nothing
      returning provider
    )
    insert into provider_status (provider, at, status) select provider, ${at}, 'pending' from added`
  const providers = seen.map(({ provider }) => provider)
  await tx`
    insert into source_provider (source, provider)
    select ${source}, p from unnest(${providers}::text[]) as p
    on conflict do nothing`
  await settleProviders(tx, providers, at)
}

/** Takes back that a source names providers other than these, unless it has prices of them, served or held. */
export async function forgetProviders(tx: Tx, source: string, named: string[], at: Instant): Promise<void> {
  const forgotten = await tx<{ provider: string }[]>`
    delete from source_provider n where ${isForgotten(tx, source, named)} returning n.provider`
  await settleProviders(
    tx,
    forgotten.map(({ provider }) => provider),
    at,
  )
}

const isForgotten = (db: Db, source: string, named: string[]) => db`
  n.source = ${source} and n.provider <> all(${named}::text[])
  and not exists (select from price_line l where l.source = n.source and l.provider = n.provider
                  and (l.current_hash is not null or l.held_hash is not null))`

/**
 * Records how these providers price from this instant on, where that changed: in credits, while a row in credits or the
 * price of a credit is published, and in USD. Every publication that begins or ends rows says so.
 */
export async function recordPricing(tx: Tx, providers: string[], at: Instant): Promise<void> {
  if (providers.length === 0) return
  // `isCredit` in resource-rules.ts says the same of a row.
  await tx`
    insert into provider_pricing (provider, at, in_credits, in_usd)
    select p, ${at}, published.in_credits, published.in_usd
    from unnest(${providers}::text[]) as p
    cross join lateral (
      select exists (select from publication o
                     where o.provider = p and o.unpublished_at is null
                       and (o.dimension = 'credits' or right(o.currency, 7) = '_CREDIT')) as in_credits,
             exists (select from publication o
                     where o.provider = p and o.unpublished_at is null and o.currency = 'USD') as in_usd
    ) published
    left join lateral (select * from provider_pricing where provider = p order by at desc limit 1) now on true
    where (published.in_credits, published.in_usd) <> (coalesce(now.in_credits, false), coalesce(now.in_usd, false))
    on conflict (provider, at) do update set in_credits = excluded.in_credits, in_usd = excluded.in_usd`
}

/** The providers among those named that price in credits now. */
export async function creditPriced(db: Db, providers: string[]): Promise<Set<string>> {
  const rows = await db<{ provider: string }[]>`
    select p as provider from unnest(${providers}::text[]) as p
    where (select in_credits from provider_pricing where provider = p order by at desc limit 1)`
  return new Set(rows.map((row) => row.provider))
}

/** The providers among these that the directory knows, pending and retired ones included. */
export async function knownProviders(db: Db, providers: string[]): Promise<Set<string>> {
  const rows = await db<{ provider: string }[]>`
    select provider from provider where provider = any(${providers}::text[])`
  return new Set(rows.map((row) => row.provider))
}

/** Those of these providers that their source did not name before. */
export async function unnamedProviders<T extends { source: string; provider: string }>(
  db: Db,
  declared: T[],
): Promise<T[]> {
  const rows = await db<{ source: string; provider: string }[]>`
    select source, provider from source_provider
    where source = any(${declared.map(({ source }) => source)}::text[])`
  const named = new Set(rows.map(({ source, provider }) => joinKey(source, provider)))
  return declared.filter(({ source, provider }) => !named.has(joinKey(source, provider)))
}

/** Whether a source names other providers than it did: ones that it did not name, or fewer. */
export async function namesDiffer(db: Db, source: string, named: string[]): Promise<boolean> {
  const [row] = await db<{ differ: boolean }[]>`
    select exists (select from unnest(${named}::text[]) as p
                   where not exists (select from source_provider s where s.source = ${source} and s.provider = p))
        or exists (select from source_provider n where ${isForgotten(db, source, named)}) as differ`
  return row!.differ
}

export async function providerName(db: Db, provider: string): Promise<string | undefined> {
  const [row] = await db<{ name: string }[]>`select name from provider where provider = ${provider}`
  return row?.name
}

/** Those of these providers that are listed under another name. */
export async function misnamedProviders(db: Db, declared: SeenProvider[]): Promise<SeenProvider[]> {
  const rows = await db<{ provider: string; name: string }[]>`
    select provider, name from provider where provider = any(${declared.map(({ provider }) => provider)}::text[])`
  const listed = new Map(rows.map(({ provider, name }) => [provider, name]))
  return declared.filter(({ provider, name }) => listed.has(provider) && listed.get(provider) !== name)
}

export async function renameProviders(tx: Tx, named: SeenProvider[]): Promise<void> {
  await tx`
    update provider p set name = s.name
    from jsonb_to_recordset(${tx.json(named)}::jsonb) as s (provider text, name text)
    where p.provider = s.provider`
}
