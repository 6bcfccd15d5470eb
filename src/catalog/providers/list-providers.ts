import type { Sql } from '../../lib/sql.ts'
import { type DirectoryEntry, providerDirectory } from '../search/directory-store.ts'
import { providerName } from './provider-store.ts'

/** Returns the provider directory: every provider that is active or being added, by slug. */
export const listProviders = (sql: Sql): Promise<DirectoryEntry[]> => providerDirectory(sql)

/** Returns what a provider is called; its slug where only documents of it are followed so far. */
export const nameOfProvider = async (sql: Sql, provider: string): Promise<string> =>
  (await providerName(sql, provider)) ?? provider
