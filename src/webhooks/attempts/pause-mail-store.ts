import type { Instant } from '../../lib/instant.ts'
import type { Sql, Tx } from '../../lib/sql.ts'

/** A mail to one admin about a webhook that was paused. */
export type PauseMail = {
  webhookId: string
  workspaceId: string
  accountId: string
  email: string
  webhook: string
  workspace: string
  pausedAt: Instant
  reason: string
}

/** Queues a mail to each admin of a webhook's workspace, with the pause that it is about. */
export async function queuePauseMails(tx: Tx, webhookId: string, pausedAt: Instant): Promise<void> {
  await tx`
    insert into pause_mail (webhook_id, paused_at, account_id)
    select w.webhook_id, ${pausedAt}, m.account_id
    from webhook w
    join workspace_member m on m.workspace_id = w.workspace_id and m.role = 'admin'
    join account a on a.account_id = m.account_id and a.disabled_at is null
    where w.webhook_id = ${webhookId}`
}

/** Drops the mails that no longer hold: the webhook was resumed, or the account is not an admin any more. */
export async function dropOutdatedMails(sql: Sql): Promise<void> {
  await sql`
    delete from pause_mail p
    using webhook w
    where w.webhook_id = p.webhook_id
      and (w.state <> 'paused' or w.paused_at <> p.paused_at
           or not exists (select from workspace_member m join account a using (account_id)
                          where m.workspace_id = w.workspace_id and m.account_id = p.account_id and m.role = 'admin'
                            and a.disabled_at is null))`
}

/** Claims the mails that no one is sending, until an instant. Returns them, the oldest pause first. */
export async function claimPauseMails(sql: Sql, until: Instant, limit: number): Promise<PauseMail[]> {
  return [
    ...(await sql<PauseMail[]>`
      with claimed as (
        update pause_mail p set claimed_until = ${until}
        from (select webhook_id, paused_at, account_id from pause_mail
              where claimed_until is null or claimed_until < clock_timestamp()
              order by paused_at, webhook_id, account_id
              limit ${limit} for update skip locked) as free
        where p.webhook_id = free.webhook_id and p.paused_at = free.paused_at and p.account_id = free.account_id
        returning p.*
      )
      select c.webhook_id as "webhookId", w.workspace_id as "workspaceId", c.account_id as "accountId", a.email,
             w.name as webhook, s.name as workspace, c.paused_at as "pausedAt", w.paused_reason as reason
      from claimed c
      join webhook w using (webhook_id)
      join workspace s using (workspace_id)
      join account a on a.account_id = c.account_id
      order by c.paused_at, c.webhook_id, c.account_id`),
  ]
}

type MailKey = Pick<PauseMail, 'webhookId' | 'pausedAt' | 'accountId'>

/** Ends a mail that was sent, or that its server will never take. */
export async function finishPauseMail(sql: Sql, { webhookId, pausedAt, accountId }: MailKey): Promise<void> {
  await sql`
    delete from pause_mail
    where webhook_id = ${webhookId} and paused_at = ${pausedAt} and account_id = ${accountId}`
}

/** Gives a mail that did not arrive back: the next call sends it. */
export async function releasePauseMail(sql: Sql, { webhookId, pausedAt, accountId }: MailKey): Promise<void> {
  await sql`
    update pause_mail set claimed_until = null
    where webhook_id = ${webhookId} and paused_at = ${pausedAt} and account_id = ${accountId}`
}
