import { instantOf } from '../../../lib/instant.ts'
import type { Sql, Tx } from '../../../lib/sql.ts'
import { type SignInChange, signInChangeMail } from '../sign-in-change-rules.ts'
import type { AccountMail } from './account-mail.ts'

type Notify = (to: string, change: SignInChange) => Promise<void>

/**
 * Runs a transaction that changes how someone signs in, and mails them what it changed. The mail is in the outbox once the
 * change is committed, so it is sent even when this process ends before it could. No one waits for the mail server.
 */
export async function withNotices<T>(
  sql: Sql,
  { origin, outbox }: Pick<AccountMail, 'origin' | 'outbox'>,
  work: (tx: Tx, notify: Notify) => Promise<T>,
): Promise<T> {
  const written: (() => void)[] = []
  const done = await sql.begin((tx) =>
    work(tx, async (to, change) => {
      if (outbox)
        written.push(await outbox.write(tx, { to, ...signInChangeMail(change, instantOf(Date.now()), origin) }))
    }),
  )
  for (const send of written) send()
  return done as T
}
