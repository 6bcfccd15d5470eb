import type { Db } from '../lib/sql.ts'
import { MAIL_SUBJECTS } from '../lib/text/mail-subjects.ts'

const KINDS = Object.fromEntries(Object.entries(MAIL_SUBJECTS).map(([kind, subject]) => [subject, kind]))

/**
 * Moves the mails that processes of 1.0.0 left in their tables into the outbox, but those that one of them is sending. Its subjects
 * of invitations and passkeys hold names.
 */
export async function moveEarlierMails(db: Db): Promise<void> {
  await db`
    with moved as (delete from account_mail where next_try_at <= clock_timestamp() returning *)
    insert into outbox_mail (mail_id, kind, to_address, slot, sealed, created_at, next_try_at, expires_at)
    select mail_id,
           coalesce(${db.json(KINDS)}::jsonb ->> regexp_replace(subject, ' #[0-9a-f]+$', ''),
                    case when subject like '%passkey was added%' then 'passkey_added'
                         when subject like '%passkey was removed%' then 'passkey_removed' else 'invitation' end),
           to_address, subject, sealed, next_try_at, next_try_at, expires_at
    from moved
    on conflict do nothing`
  await db`
    with moved as (delete from pause_mail where claimed_until is null or claimed_until < clock_timestamp() returning *)
    insert into outbox_mail (mail_id, kind, account_id, facts, created_at, next_try_at, expires_at)
    select uuidv7(), 'webhook_paused', account_id, jsonb_build_object('webhookId', webhook_id, 'pausedAt', paused_at),
           paused_at, paused_at, paused_at + interval '30 days'
    from moved`
}
