import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'

export type ActivatedProvider = { provider: string; name: string }

/**
 * Makes pending and retired providers active. Returns those that are active for the first time. `older` providers existed
 * before the directory: they get no `activatedAt`.
 */
export async function activateProviders(
  tx: Tx,
  providers: string[],
  at: Instant,
  options: { older?: boolean } = {},
): Promise<ActivatedProvider[]> {
  if (providers.length === 0) return []
  return tx<ActivatedProvider[]>`
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
 * Gives providers the status that follows from what there is of them: active while a price of theirs is published or a
 * text of theirs is in force; pending while a source names one that never was active; retired otherwise. The first
 * activation, which is an event, is left to {@link activateProviders}.
 */
export async function settleProviders(tx: Tx, providers: string[], at: Instant): Promise<void> {
  if (providers.length === 0) return
  await tx`
    with changed as (
      select p as provider, was_active,
        (select status from provider_status s where s.provider = p order by s.at desc limit 1) as status,
        case
          when exists (select from publication o where o.provider = p and o.unpublished_at is null)
            or exists (select from document d
                       join document_version v on v.source = d.source and v.recorded_at is not null
                       join source s on s.source = d.source and s.ended_at is null
                       where d.provider = p) then 'active'
          when not was_active
            and exists (select from source_provider n join source s on s.source = n.source and s.ended_at is null
                        where n.provider = p) then 'pending'
          else 'retired' end as follows
      from unnest(${providers}::text[]) as p
      cross join lateral (
        select exists (select from provider_status s where s.provider = p and s.status = 'active') as was_active
      ) before
    )
    insert into provider_status (provider, at, status)
    select provider, ${at}, follows from changed
    where follows <> status and (was_active or follows <> 'active')
    on conflict (provider, at) do update set status = excluded.status`
}

/** Retired providers that are not over: a source names one that never was active, or has a text of one in force. */
export async function unsettledProviders(db: Db): Promise<string[]> {
  const rows = await db<{ provider: string }[]>`
    select p.provider from provider p
    where 'retired' = (select status from provider_status s where s.provider = p.provider order by s.at desc limit 1)
      and exists (
        select from source_provider n join source s on s.source = n.source and s.ended_at is null
        where n.provider = p.provider and (
          not exists (select from provider_status a where a.provider = p.provider and a.status = 'active')
          or exists (select from document_version v where v.source = n.source and v.recorded_at is not null)))`
  return rows.map(({ provider }) => provider)
}
