import { createComposer } from '../../activities/mail.ts'
import { readConfig } from '../../src/lib/config.ts'
import { createLog } from '../../src/lib/log.ts'
import type { Sql } from '../../src/lib/sql.ts'
import { createMailer } from '../../src/mail/create-mailer.ts'
import type { Mail } from '../../src/mail/schema.ts'
import { sendMails } from '../../src/mail/send-mails.ts'
import type { startMailServer } from './servers/mail-server.ts'
import { TEST_KEY } from './webhooks/deliveries.ts'

type Settings = { secretKey?: Uint8Array; publicUrl?: string }

/** What sends the mails that wait, as a worker does. */
export function testOutbox(sql: Sql, server: Awaited<ReturnType<typeof startMailServer>>, settings: Settings = {}) {
  const { secretKey = TEST_KEY, publicUrl = 'https://prices.example.com' } = settings
  const mailer = createMailer({ server: server.address, from: { name: 'Pricetape', address: 'p@example.com' } })
  const config = readConfig({ NODE_ENV: 'test', PRICETAPE_PUBLIC_URL: publicUrl })
  const compose = createComposer({ sql, config })
  const tools = { sql, log: createLog('silent'), secretKey, compose }
  return {
    /** Sends what is due. `deliver` takes the place of the mail server. */
    send: (deliver: (mail: Mail) => Promise<void> = (mail) => mailer.sendMail(mail), key = secretKey) =>
      sendMails({ ...tools, secretKey: key, mailer: { sendMail: deliver } }),
    /** A sender that ends between the mail server's answer and the record of it. */
    dies: async (mail: Mail): Promise<void> => {
      await mailer.sendMail(mail)
      throw new Error('the process ended here')
    },
    /** As if the time of a claim, or of who wrote a mail, had passed. */
    later: () => sql`update outbox_mail set next_try_at = now() - interval '1 second' where state = 'waiting'`,
    /** The mails of a state, those that were written first before the others. */
    mails: (state = 'waiting') =>
      sql<{ kind: string; to: string | null; attempts: number; problem: string | null; due: boolean }[]>`
        select kind, to_address as to, attempts, problem, next_try_at <= clock_timestamp() as due
        from outbox_mail where state = ${state} order by created_at, mail_id`,
  }
}
