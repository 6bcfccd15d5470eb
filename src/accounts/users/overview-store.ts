import type { Instant } from '../../lib/instant.ts'
import type { Db, Tx } from '../../lib/sql.ts'
import { SESSION_IDLE_MS } from '../sessions/session-rules.ts'
import type { Account } from './account-schema.ts'

/** An account as operators see it. */
export type AccountOverview = Account & {
  lastSeenAt: Instant | null
  sessions: number
  workspaces: string[]
  /** Whether it is asked for codes of an authenticator app. */
  totp: boolean
  passkeys: number
  /** Whether it signs in with the identity provider. */
  linked: boolean
}

/** Every account, oldest first, with where it is a member and how often it is signed in. */
export async function accountOverview(db: Db): Promise<AccountOverview[]> {
  return [
    ...(await db<AccountOverview[]>`
      select a.account_id as "accountId", a.email, a.name, a.operator, a.email_verified_at as "emailVerifiedAt",
             a.disabled_at as "disabledAt", a.created_at as "createdAt", s.last_seen_at as "lastSeenAt",
             coalesce(s.sessions, 0) as sessions, coalesce(m.workspaces, '{}') as workspaces,
             exists (select from account_totp t where t.account_id = a.account_id and t.confirmed_at is not null) as totp,
             (select count(*)::int from passkey p where p.account_id = a.account_id) as passkeys,
             exists (select from account_identity i where i.account_id = a.account_id) as linked
      from account a
      left join (
        select account_id, max(last_seen_at) as last_seen_at, count(*)::int as sessions from session
        where expires_at > clock_timestamp()
          and last_seen_at > clock_timestamp() - ${`${SESSION_IDLE_MS} ms`}::interval
        group by account_id
      ) s using (account_id)
      left join (
        select account_id, array_agg(w.name order by m.created_at) as workspaces
        from workspace_member m join workspace w using (workspace_id) group by account_id
      ) m using (account_id)
      order by a.created_at, a.account_id`),
  ]
}

/** Lets one transaction at a time decide who is an operator. */
export async function lockOperators(tx: Tx): Promise<void> {
  await tx`select pg_advisory_xact_lock(hashtextextended('operators', 0))`
}

/** How many operators can sign in. */
export async function countOperators(db: Db): Promise<number> {
  const [row] = await db<{ operators: number }[]>`
    select count(*)::int as operators from account where operator and disabled_at is null`
  return row!.operators
}

/** Returns whether this changes anything. */
export async function setOperator(tx: Tx, accountId: string, operator: boolean): Promise<boolean> {
  const changed = await tx`
    update account set operator = ${operator} where account_id = ${accountId} and operator <> ${operator}`
  return changed.count > 0
}
