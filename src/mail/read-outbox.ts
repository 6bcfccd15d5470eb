import { DAY } from '../lib/instant.ts'
import type { Sql } from '../lib/sql.ts'
import { plural } from '../lib/text/plural.ts'
import { moveEarlierMails } from './earlier-mail-store.ts'
import { endOldMails, readWaiting } from './outbox-store.ts'

/** That a mail was sent, or why not, is kept for so long. */
const ENDED_KEPT_MS = DAY

/** Forgets what is old. Returns how many mails are due, and what is wrong when the mail server did not take some twice. */
export async function readOutbox(sql: Sql): Promise<{ due: number; problem?: string }> {
  await moveEarlierMails(sql)
  await endOldMails(sql, ENDED_KEPT_MS)
  const { due, failing, problem } = await readWaiting(sql)
  return { due, ...(problem && { problem: `${plural(failing, 'mail waits', 'mails wait')}. ${problem}` }) }
}
