import { randomUUID } from 'node:crypto'
import { instantOf } from '../../../lib/instant.ts'
import type { Sql, Tx } from '../../../lib/sql.ts'
import { type SignInChange, signInChangeMail } from '../sign-in-change-rules.ts'
import type { AccountMail, Notice } from './account-mail.ts'

type Notify = (to: string, change: SignInChange) => Promise<void>

/**
 * Runs a transaction that changes how someone signs in, and mails them what it changed. The mail is in the outbox once the
 * change is committed, so it is sent even when this process ends before it could. No one waits for the mail server.
 */
export async function withNotices<T>(
  sql: Sql,
  mail: Pick<AccountMail, 'origin' | 'notices' | 'show'>,
  work: (tx: Tx, notify: Notify) => Promise<T>,
): Promise<T> {
  const kept: Notice[] = []
  const done = await sql.begin((tx) =>
    work(tx, async (to, change) => {
      if (!mail.notices) return
      const text = signInChangeMail(change, instantOf(Date.now()), mail.origin)
      const notice = { ...text, to, id: randomUUID() }
      await mail.notices.keep(tx, notice)
      kept.push(notice)
    }),
  )
  for (const notice of kept) sendNotice(mail, notice)
  return done as T
}

/** Sends a notice that was kept, after the commit. No one waits for it. */
export function sendNotice(mail: Pick<AccountMail, 'notices' | 'show'>, notice: Notice): void {
  mail.notices?.send?.(notice).catch((error: Error) => {
    mail.show(`"${notice.subject}" could not be mailed: ${error.message}`)
  })
}
