import { firstWorkspace } from '../accounts/workspaces/workspace-store.ts'
import { pendingMigrations } from '../lib/postgres/migrate.ts'
import type { Sql } from '../lib/sql.ts'
import { plural } from '../lib/text/plural.ts'

/**
 * Why a database cannot be used yet, or undefined when it can. The first workspace is the last thing that a bootstrap
 * makes: before it, history may still be recorded, and nothing may be answered.
 */
export async function unpreparedReason(sql: Sql): Promise<string | undefined> {
  const { migrations, functions } = await pendingMigrations(sql)
  const lacking = [...counted(migrations, 'migration'), ...counted(functions, 'function')]
  if (lacking.length > 0) return `The database lacks ${lacking.join(' and ')} of this version.`
  return (await firstWorkspace(sql)) === undefined ? 'The database is being prepared.' : undefined
}

const counted = ({ length }: string[], noun: string): string[] => (length === 0 ? [] : [plural(length, noun)])
