import type { Db } from '../lib/sql.ts'
import { requesterNow } from './requester.ts'
import type { AuditAbout, AuditAction } from './schema.ts'
import { insertEntry } from './store.ts'

/** Records who did what. Part of the transaction that does it. */
export async function recordAction(db: Db, action: AuditAction, about: AuditAbout = {}): Promise<void> {
  const requester = requesterNow()
  await insertEntry(db, {
    action,
    accountId: about.accountId ?? requester.accountId,
    email: about.accountId === undefined || about.accountId === requester.accountId ? requester.email : undefined,
    workspaceId: about.workspaceId ?? requester.workspaceId,
    address: requester.address,
    subject: about.subject,
    detail: about.detail ?? {},
  })
}
