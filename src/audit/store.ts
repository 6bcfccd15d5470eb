import type { Json } from '../lib/canonical-json.ts'
import type { Instant } from '../lib/instant.ts'
import type { Db } from '../lib/sql.ts'
import type { AuditAction, Requester } from './schema.ts'

type NewEntry = Requester & { action: AuditAction; subject?: string; detail: { [name: string]: Json } }

/** The e-mail address is kept with the entry: it outlives the account. */
export async function insertEntry(db: Db, entry: NewEntry): Promise<void> {
  await db`
    insert into audit_entry (at, action, account_id, email, workspace_id, address, subject, detail)
    values (clock_timestamp(), ${entry.action}, ${entry.accountId ?? null},
            coalesce(${entry.email ?? null}, (select email from account where account_id = ${entry.accountId ?? null})),
            ${entry.workspaceId ?? null}, ${entry.address ?? null}, ${entry.subject ?? null}, ${db.json(entry.detail)})`
}

export type AuditEntry = {
  entryId: string
  at: Instant
  action: AuditAction
  accountId: string | null
  email: string | null
  workspaceId: string | null
  workspace: string | null
  address: string | null
  subject: string | null
  /** The name of the subject, where it has one and still exists. */
  subjectName: string | null
  detail: { [name: string]: Json }
}

export type AuditFilter = { workspaceId?: string; action?: string; accountId?: string; before?: string }

/** Where the subject is an account. Elsewhere it may be a text that someone chose, such as the id of a stranger. */
const ABOUT_AN_ACCOUNT: readonly AuditAction[] = [
  'account_disabled',
  'account_enabled',
  'email_changed',
  'identities_reset',
  'identity_linked',
  'identity_unlinked',
  'join_refused',
  'member_left',
  'member_removed',
  'operator_added',
  'operator_removed',
  'passkeys_reset',
  'rights_kept',
  'role_changed',
  'second_factor_reset',
  'sessions_ended',
]

/** Entries with the names of what they are about. */
const selected = (db: Db) => db`
  select e.entry_id as "entryId", e.at, e.action, e.account_id as "accountId", e.email,
         e.workspace_id as "workspaceId", w.name as workspace, e.address, e.subject,
         coalesce(h.name, a.email) as "subjectName", e.detail
  from audit_entry e
  left join workspace w using (workspace_id)
  left join webhook h on h.webhook_id::text = e.subject and h.workspace_id = e.workspace_id
  left join account a on a.account_id::text = e.subject and e.action = any(${[...ABOUT_AN_ACCOUNT]})`

/** From an instant on, and before another. */
export type AuditPeriod = { since?: Instant; until?: Instant }

/** Returns entries of a period, the oldest first, after the entry `after`. */
export const entriesAfter = async (
  db: Db,
  { since, until }: AuditPeriod,
  after: string | undefined,
  limit: number,
): Promise<AuditEntry[]> => [
  ...(await db<AuditEntry[]>`
    ${selected(db)}
    where (${since ?? null}::timestamptz is null or e.at >= ${since ?? null}::timestamptz)
      and (${until ?? null}::timestamptz is null or e.at < ${until ?? null}::timestamptz)
      and (${after ?? null}::uuid is null or e.entry_id > ${after ?? null}::uuid)
    order by e.entry_id limit ${limit}`),
]

/** Returns entries that meet a filter, the newest first, older than the entry `before`. */
export async function entriesOf(db: Db, filter: AuditFilter, limit: number): Promise<AuditEntry[]> {
  const { workspaceId = null, action = null, accountId = null, before = null } = filter
  return [
    ...(await db<AuditEntry[]>`
      ${selected(db)}
      where (${workspaceId}::uuid is null or e.workspace_id = ${workspaceId})
        and (${action}::text is null or e.action = ${action})
        and (${accountId}::uuid is null or e.account_id = ${accountId})
        and (${before}::uuid is null or e.entry_id < ${before})
      order by e.entry_id desc limit ${limit}`),
  ]
}
