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

-- What sources state of resources beside their prices, each as it was stated: context window and output limit in tokens, and the
-- day of release. Stamped by the publication clock: a fact is shown from `at` on, and no longer from `ended_at` on.
create table resource_fact (
  fact_id bigint generated always as identity primary key,
  source text not null references source,
  provider text not null,
  resource text not null,
  fact text not null check (fact in ('context', 'output', 'released')),
  value text not null,
  -- Since when the source states this value without a break.
  stated_since timestamptz(3) not null,
  at timestamptz(3) not null check (at >= stated_since),
  ended_at timestamptz(3) check (ended_at > at),
  -- The place of the source then: the nearest one to the provider is shown.
  rank smallint not null,
  position integer
);
create unique index resource_fact_now on resource_fact (source, provider, resource, fact) where ended_at is null;
create index resource_fact_of_resource on resource_fact (provider, resource);
