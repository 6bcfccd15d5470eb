-- contract: unused since 1.0.0
-- Every mail that the product sends, written in the transaction of what it is about. A text may hold a link, so it is sealed with the
-- key of webhook secrets; `facts` are ids that are put in words when the mail is sent. Neither is kept once the mail has ended.
create table outbox_mail (
  mail_id uuid primary key,
  -- A key of MAIL_SUBJECTS.
  kind text not null,
  -- Whom it goes to: an address, or an account and the address that it has when the mail is sent.
  to_address text,
  account_id uuid,
  -- Of one address and slot one mail waits.
  slot text,
  sealed bytea,
  facts jsonb,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'refused', 'expired')),
  attempts integer not null default 0,
  -- Why the mail server did not take it, the last time.
  problem text,
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  ended_at timestamptz(3),
  check ((state = 'waiting') = (ended_at is null)),
  check (state <> 'waiting' or num_nonnulls(to_address, account_id) = 1 and num_nonnulls(sealed, facts) = 1)
);
create unique index outbox_mail_by_slot on outbox_mail (to_address, slot) where state = 'waiting';
create index outbox_mail_due on outbox_mail (next_try_at) where state = 'waiting';
create index outbox_mail_ended on outbox_mail (ended_at) where state <> 'waiting';
create index outbox_mail_by_account on outbox_mail (account_id, created_at) where account_id is not null;

-- What processes of 1.0.0 leave in account_mail and pause_mail is moved here with every check (src/mail/earlier-mail-store.ts).
insert into outbox_mail (mail_id, kind, account_id, facts, state, created_at, next_try_at, expires_at, ended_at)
select mail_id, case frequency when 'at_once' then 'watch' else 'watch_' || frequency end, account_id,
       case when sent_at is null then jsonb_build_object('frequency', frequency, 'parts', coalesce((
         select jsonb_agg(jsonb_build_object('watchId', watch_id, 'changes', changes, 'seqs', seqs))
         from watch_mail_part p where p.mail_id = m.mail_id), '[]')) end,
       case when sent_at is null then 'waiting' else 'sent' end, created_at, next_try_at, created_at + interval '7 days', sent_at
from watch_mail m;
drop table watch_mail_part;
drop table watch_mail;
