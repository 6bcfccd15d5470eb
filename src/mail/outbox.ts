import { v7 } from '../lib/ids.ts'
import { MINUTE, SECOND } from '../lib/instant.ts'
import type { Log } from '../lib/log.ts'
import { within } from '../lib/process/within.ts'
import type { Db, Sql } from '../lib/sql.ts'
import { MAIL_SUBJECTS } from '../lib/text/mail-subjects.ts'
import type { Mailer, TextMail } from './schema.ts'
import { sendMail } from './send-mails.ts'
import { writeText } from './write-mails.ts'

/** Who writes a mail sends it itself; a check that finds it after this sends it in its place. */
const SENDS_WITHIN_MS = MINUTE
/** A mail server that does not answer must not keep the process from ending. */
const MAILS_END_WITHIN_MS = 5 * SECOND

export type Outbox = {
  /** Writes a mail, in the transaction of what it is about. Returns what sends it after the commit; no one waits for that. */
  write(db: Db, mail: TextMail): Promise<() => void>
  /** Writes a mail and sends it, while the caller goes on: how long that takes shows no one whether there was something to mail. */
  post(mail: TextMail): void
}

type Tools = { sql: Sql; log: Log; secretKey: Uint8Array | undefined; mailer?: Mailer }

/** The outbox for a process that writes mails: it sends them itself where it has a mailer, else the next check does. */
export function createOutbox({ sql, log, secretKey, mailer }: Tools): Outbox & AsyncDisposable {
  const running = new Set<Promise<void>>()
  /** No one waits for this but the end of the process. */
  const later = (work: () => Promise<void>): void => {
    const done = work()
      .catch((err: Error) => log.warn({ err }, 'a mail could not be written or sent'))
      .finally(() => running.delete(done))
    running.add(done)
  }
  const write: Outbox['write'] = async (db, mail) => {
    // Without the key nothing can be kept: then it is sent once.
    if (!secretKey)
      return () => later(async () => mailer?.sendMail({ ...mail, id: v7(), subject: MAIL_SUBJECTS[mail.kind] }))
    const mailId = await writeText(db, secretKey, mail, mailer ? SENDS_WITHIN_MS : 0)
    return () => mailer && later(() => sendMail({ sql, log, secretKey, mailer }, mailId))
  }
  return {
    write,
    post: (mail) => later(async () => (await write(sql, mail))()),
    [Symbol.asyncDispose]: async () => {
      const ended = async () => {
        while (running.size > 0) await Promise.all(running)
      }
      await within(MAILS_END_WITHIN_MS, ended()).catch(() => {})
      await mailer?.[Symbol.asyncDispose]()
    },
  }
}
