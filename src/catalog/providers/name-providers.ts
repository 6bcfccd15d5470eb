import type { Sql } from '../../lib/sql.ts'
import { publishing } from '../clock/clock-store.ts'
import { misnamedProviders, renameProviders, type SeenProvider } from './provider-store.ts'

/** Lists providers under the names that declarations give them, instead of those that lists of prices use. */
export async function nameProviders(sql: Sql, declared: SeenProvider[]): Promise<void> {
  const misnamed = await misnamedProviders(sql, declared)
  if (misnamed.length > 0) await publishing(sql, (tx) => renameProviders(tx, misnamed))
}
