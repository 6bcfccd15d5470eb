import type { Sql } from '../../lib/sql.ts'
import * as store from './choices-store.ts'

const MOST_RESOURCES = 50

/** Returns the providers that a webhook can name, with their documents. */
export const listProviderChoices = (sql: Sql): Promise<store.ProviderChoice[]> => store.providerChoices(sql)

/** Returns the first 50 resources that a text finds. */
export const findResourceChoices = (
  sql: Sql,
  { search, providers }: { search: string; providers?: string[] },
): Promise<store.ResourceChoice[]> => store.searchResources(sql, { search, providers, limit: MOST_RESOURCES })
