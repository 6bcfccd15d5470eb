-- What waits to be delivered, as a worker last counted it: scrapes and probes read this row, however much waits.
create table waiting_deliveries (
  only_row boolean primary key default true check (only_row),
  -- Null before the first count.
  counted_at timestamptz(3),
  took_ms integer not null default 0,
  due bigint not null default 0,
  in_flight bigint not null default 0,
  later bigint not null default 0,
  paused bigint not null default 0,
  -- Workspaces with an active webhook, and those of them whose deliveries are late although their endpoint answers.
  workspaces integer not null default 0,
  late_workspaces integer not null default 0,
  oldest_due_at timestamptz(3)
);
insert into waiting_deliveries default values;

-- How far an event was matched where there are many webhooks: with all up to this one. Null before the first, and where one
-- statement meets them all.
alter table event add column matched_to uuid;

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

-- Which rule of the normal form explained how many words of a change; null for texts of before.
alter table document_version add column explained jsonb;
