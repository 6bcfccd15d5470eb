import type { Sql } from '../lib/sql.ts'
import { isStorable } from '../lib/text.ts'
import { type CatalogAnswer, catalogAnswer } from './catalog-answer-store.ts'

/** Returns what a webhook filter can name for one provider; undefined for an unknown slug. */
export async function readCatalog(sql: Sql, provider: string): Promise<CatalogAnswer | undefined> {
  return isStorable(provider) ? catalogAnswer(sql, provider) : undefined
}
