import type { Sql } from '../../lib/sql.ts'
import { publishing } from '../clock/clock-store.ts'
import { settleProviders, unsettledProviders } from './provider-status-store.ts'
import { seeProviders, unnamedProviders } from './provider-store.ts'

/** A provider as the declaration of a source names it. */
export type DeclaredProvider = { source: string; provider: string; name: string }

/** Lists providers that declarations name, before there is a price of them, and those of sources declared again. */
export async function announceProviders(sql: Sql, declared: DeclaredProvider[]): Promise<void> {
  const unnamed = await unnamedProviders(sql, declared)
  const unsettled = await unsettledProviders(sql)
  if (unnamed.length + unsettled.length === 0) return
  await publishing(sql, async (tx, { at }) => {
    for (const { source, ...provider } of unnamed) await seeProviders(tx, source, [provider], at)
    await settleProviders(tx, unsettled, at)
  })
}
