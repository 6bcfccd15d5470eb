import type { Db } from '../../lib/sql.ts'

/** Whether a line of a source is absent and not yet removed: only further fetches confirm that, unchanged ones too. */
export async function awaitsConfirmation(db: Db, source: string): Promise<boolean> {
  const [row] = await db<{ waiting: boolean }[]>`
    select exists (
      select from price_line where source = ${source} and missing_since is not null and removed_at is null
    ) as waiting`
  return row?.waiting ?? false
}
