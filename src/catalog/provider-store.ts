import type { Instant } from '../lib/instant.ts'
import type { Db, Tx } from '../lib/sql.ts'

export type ProviderStatus = 'pending' | 'active' | 'retired'
export type ProviderSeen = { provider: string; name: string; creditPriced?: boolean }

/** Puts providers a source speaks of into the directory: new ones are pending until a price of theirs is published. */
export async function seeProviders(tx: Tx, source: string, seen: ProviderSeen[], at: Instant): Promise<void> {
  if (seen.length === 0) return
  await tx`
    with seen as (
      select s.provider, s.name, coalesce(s."creditPriced", false) as credit_priced
      from jsonb_to_recordset(${tx.json(seen)}::jsonb) as s (provider text, name text, "creditPriced" boolean)
    ), added as (
      insert into provider (provider, name, credit_priced, created_at)
      select provider, name, credit_priced, ${at} from seen
      on conflict (provider) do nothing
      returning provider
    )
    insert into provider_status (provider, at, status) select provider, ${at}, 'pending' from added`
  await tx`
    insert into source_provider (source, provider)
    select ${source}, p from unnest(${seen.map((one) => one.provider)}::text[]) as p
    on conflict do nothing`
}

/** Makes pending and retired providers active; answers those that never were before. */
export async function activateProviders(
  tx: Tx,
  providers: string[],
  at: Instant,
): Promise<{ provider: string; name: string }[]> {
  if (providers.length === 0) return []
  await tx`
    insert into provider_status (provider, at, status)
    select p, ${at}, 'active' from unnest(${providers}::text[]) as p
    where (select status from provider_status s where s.provider = p order by s.at desc limit 1) <> 'active'
    on conflict (provider, at) do update set status = 'active'`
  return tx<{ provider: string; name: string }[]>`
    update provider set activated_at = ${at}
    where provider = any(${providers}::text[]) and activated_at is null
    returning provider, name`
}

/** The providers that price in credits, among those named. */
export async function creditPriced(db: Db, providers: string[]): Promise<Set<string>> {
  const rows = await db<{ provider: string }[]>`
    select provider from provider where credit_priced and provider = any(${providers}::text[])`
  return new Set(rows.map((row) => row.provider))
}

/** The providers among these that the directory knows, pending and retired ones included. */
export async function knownProviders(db: Db, providers: string[]): Promise<Set<string>> {
  const rows = await db<{ provider: string }[]>`
    select provider from provider where provider = any(${providers}::text[])`
  return new Set(rows.map((row) => row.provider))
}
