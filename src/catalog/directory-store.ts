import { type Instant, SECOND } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import { STALE_AFTER_INTERVALS, STALE_AFTER_MS } from './source-rules.ts'

/** An entry of the provider directory (specification, Provider directory entry). */
export type DirectoryEntry = {
  provider: string
  name: string
  status: 'active' | 'pending'
  activatedAt: Instant | null
  freshness: 'fresh' | 'stale' | 'unknown'
  lastCheckedAt: Instant | null
}

/** Every provider that is active or being added, by slug; `unknown` means none of its sources was ever read. */
export async function providerDirectory(db: Db): Promise<DirectoryEntry[]> {
  return [
    ...(await db<DirectoryEntry[]>`
      with checked as (
        select sp.provider, max(s.last_checked_at) as last_checked_at, bool_or(s.last_good_at is not null) as ever,
          bool_or(s.declared and s.last_good_at > clock_timestamp() - greatest(
            make_interval(secs => ${STALE_AFTER_MS / SECOND}),
            make_interval(secs => s.interval_seconds * ${STALE_AFTER_INTERVALS}::float8))) as fresh
        from source_provider sp join source s using (source)
        where s.kind = 'prices'
        group by sp.provider
      )
      select p.provider, p.name, now.status, p.activated_at as "activatedAt",
        case when c.fresh then 'fresh' when c.ever then 'stale' else 'unknown' end as freshness,
        c.last_checked_at as "lastCheckedAt"
      from provider p
      cross join lateral (
        select s.status from provider_status s where s.provider = p.provider order by s.at desc limit 1
      ) now
      left join checked c using (provider)
      where now.status <> 'retired'
      order by p.provider collate "C"`),
  ]
}
