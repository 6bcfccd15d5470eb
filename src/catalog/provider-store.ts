import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'

export type ProviderSeen = { provider: string; name: string }

/** Puts providers a source speaks of into the directory: new ones are pending until a price of theirs is published. */
export async function seeProviders(tx: Tx, source: string, seen: ProviderSeen[], at: Instant): Promise<void> {
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
  await tx`
    insert into source_provider (source, provider)
    select ${source}, p from unnest(${seen.map(({ provider }) => provider)}::text[]) as p
    on conflict do nothing`
}

/**
 * Makes pending and retired providers active. Returns those that are active for the first time. `older` providers existed
 * before the directory: they get no `activatedAt`.
 */
export async function activateProviders(
  tx: Tx,
  providers: string[],
  at: Instant,
  options: { older?: boolean } = {},
): Promise<{ provider: string; name: string }[]> {
  if (providers.length === 0) return []
  return tx<{ provider: string; name: string }[]>`
    with added as (
      select p from unnest(${providers}::text[]) as p
      where not exists (select from provider_status s where s.provider = p and s.status = 'active')
    ), activated as (
      insert into provider_status (provider, at, status)
      select p, ${at}, 'active' from unnest(${providers}::text[]) as p
      where (select status from provider_status s where s.provider = p order by s.at desc limit 1) <> 'active'
      on conflict (provider, at) do update set status = 'active'
    )
    update provider set activated_at = ${options.older ? null : at}
    where provider in (select p from added)
    returning provider, name`
}

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

/** The providers among those named that the directory does not have, or does not have from this source. */
export async function unknownProviders(db: Db, source: string, named: string[]): Promise<string[]> {
  const rows = await db<{ provider: string }[]>`
    select n as provider from unnest(${named}::text[]) as n
    where not exists (select from source_provider s where s.source = ${source} and s.provider = n)`
  return rows.map((row) => row.provider)
}

/** Marks providers as no longer selling anything: none of their prices is published any more. */
export async function retireEmptyProviders(tx: Tx, providers: string[], at: Instant): Promise<void> {
  if (providers.length === 0) return
  await tx`
    insert into provider_status (provider, at, status)
    select p, ${at}, 'retired' from unnest(${providers}::text[]) as p
    where not exists (select from publication o where o.provider = p and o.unpublished_at is null)
      and (select status from provider_status s where s.provider = p order by s.at desc limit 1) = 'active'
    on conflict (provider, at) do update set status = 'retired'`
}
