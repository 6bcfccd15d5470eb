import type { Db } from '../../lib/sql.ts'

/** Returns whether a line of a source is absent and not yet removed: even an unchanged snapshot confirms that. */
export async function awaitsConfirmation(db: Db, source: string): Promise<boolean> {
  const [row] = await db<{ waiting: boolean }[]>`
    select exists (
      select from price_line where source = ${source} and missing_since is not null and removed_at is null
    ) as waiting`
  return row?.waiting ?? false
}
