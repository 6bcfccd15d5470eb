-- What people watch by e-mail. A watch has exactly one subject: a seller (`provider` alone), a model or a document of one, or
-- an alias group.
create table watch (
  watch_id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  provider text,
  resource text,
  document text,
  group_id uuid references alias_group,
  frequency text not null check (frequency in ('at_once', 'daily', 'weekly')),
  min_change numeric not null default 0 check (min_change >= 0),
  paused_at timestamptz(3),
  -- The events up to this number are mailed, or part of a mail that waits.
  after_seq bigint not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  check (num_nonnulls(provider, group_id) = 1),
  check (num_nonnulls(resource, document, group_id) <= 1),
  unique nulls not distinct (account_id, provider, resource, document, group_id)
);
create index watch_by_frequency on watch (frequency) where paused_at is null;

-- When mails of a frequency were last planned. Its row lock lets one planner at a time look for changes.
create table watch_plan (
  frequency text primary key check (frequency in ('at_once', 'daily', 'weekly')),
  planned_at timestamptz(3) not null
);
insert into watch_plan
select frequency, clock_timestamp() from unnest(array['at_once', 'daily', 'weekly']) as frequency;

-- A mail that waits for the mail server. One that was sent is kept for a day: mails to one person are counted.
create table watch_mail (
  mail_id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  frequency text not null check (frequency in ('at_once', 'daily', 'weekly')),
  created_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  sent_at timestamptz(3)
);
create index watch_mail_due on watch_mail (next_try_at) where sent_at is null;
create index watch_mail_by_account on watch_mail (account_id, created_at);
create index watch_mail_sent on watch_mail (sent_at) where sent_at is not null;

-- What a mail says of one watch: how many changes, and the events that it shows.
create table watch_mail_part (
  mail_id uuid not null references watch_mail on delete cascade,
  watch_id uuid not null references watch on delete cascade,
  changes integer not null check (changes > 0),
  seqs bigint[] not null,
  primary key (mail_id, watch_id)
);
create index watch_mail_part_by_watch on watch_mail_part (watch_id);

-- The link of a mail that ends its watch, or all watches of a digest. Only the hash of its token is kept.
create table unsubscribe_link (
  token_hash bytea primary key,
  account_id uuid not null references account on delete cascade,
  watch_id uuid references watch on delete cascade,
  frequency text check (frequency in ('daily', 'weekly')),
  created_at timestamptz(3) not null,
  check (num_nonnulls(watch_id, frequency) = 1)
);
create index unsubscribe_link_by_account on unsubscribe_link (account_id);
create index unsubscribe_link_by_watch on unsubscribe_link (watch_id);
create index unsubscribe_link_by_age on unsubscribe_link (created_at);
