import type { Sql } from '../lib/sql.ts'
import { workspacesWithoutAdmin } from './members/member-store.ts'
import { allAccounts } from './users/account-store.ts'

/** How many accounts can sign in, and the workspaces in which no one can act. */
export type AccountSummary = { accounts: number; disabled: number; withoutAdmin: string[] }

export async function summarizeAccounts(sql: Sql): Promise<AccountSummary> {
  const accounts = await allAccounts(sql)
  const disabled = accounts.filter(({ disabledAt }) => disabledAt !== null).length
  const without = await workspacesWithoutAdmin(sql)
  return { accounts: accounts.length - disabled, disabled, withoutAdmin: without.map(({ name }) => name) }
}
