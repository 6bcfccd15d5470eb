import type { Sql } from '../lib/sql.ts'
import { type DirectoryEntry, providerDirectory } from './directory-store.ts'

/** Returns the provider directory: every provider that is active or being added, by slug. */
export const listProviders = (sql: Sql): Promise<DirectoryEntry[]> => providerDirectory(sql)
