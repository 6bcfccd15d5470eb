import type { Instant } from '../../lib/instant.ts'
import type { Db } from '../../lib/sql.ts'
import { freshnessByProvider } from '../sources/freshness-store.ts'

/** An entry of the provider directory (specification, Provider directory entry). */
export type DirectoryEntry = {
  provider: string
  name: string
  status: 'active' | 'pending'
  activatedAt: Instant | null
  freshness: 'fresh' | 'stale' | 'unknown'
  lastCheckedAt: Instant | null
  /** When all prices that are served of it were last confirmed by their sources, as far as those still say so. */
  confirmedAt: Instant | null
}

/** Every provider that is active or being added, by slug; `unknown` means none of its sources was ever read. */
export async function providerDirectory(db: Db): Promise<DirectoryEntry[]> {
  return [
    ...(await db<DirectoryEntry[]>`
      with checked as (${freshnessByProvider(db)})
      select p.provider, p.name, now.status, p.activated_at as "activatedAt",
        coalesce(c.freshness, 'unknown') as freshness, c.last_checked_at as "lastCheckedAt",
        c.confirmed_at as "confirmedAt"
      from provider p
      cross join lateral (
        select s.status from provider_status s where s.provider = p.provider order by s.at desc limit 1
      ) now
      left join checked c using (provider)
      where now.status <> 'retired'
      order by p.provider collate "C"`),
  ]
}
