import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'

/** Returns the id of the installation this database belongs to; the first start makes it. */
export async function ensureInstallationId(db: Db): Promise<string> {
  await db`insert into installation default values on conflict do nothing`
  const [row] = await db<{ id: string }[]>`select installation_id as id from installation`
  return row!.id
}

/** Returns when this database was first started with; undefined before that. */
export async function installedAt(db: Db): Promise<Instant | undefined> {
  const [row] = await db<{ at: Instant }[]>`select created_at as at from installation`
  return row?.at
}
