-- One row whose lock orders every publication. A stamp is handed out under that lock and kept until commit, so stamps
-- and sequence numbers are in commit order, never go backwards, and an instant at or before last_stamp is settled.
create table publication_clock (
  only_row boolean primary key default true check (only_row),
  last_stamp timestamptz(3) not null default '0001-01-01T00:00:00Z',
  last_seq bigint not null default 0
);
insert into publication_clock default values;

create table provider (
  provider text primary key check (provider ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  name text not null,
  credit_priced boolean not null default false,
  activated_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table provider_status (
  provider text not null references provider,
  at timestamptz(3) not null,
  status text not null check (status in ('pending', 'active', 'retired')),
  primary key (provider, at)
);

-- A place prices or documents are read from. What it is comes from sources.json; here is how it fares.
create table source (
  source text primary key,
  kind text not null check (kind in ('prices', 'terms')),
  format text not null,
  primary_source boolean not null default true,
  interval_seconds integer not null,
  declared boolean not null default true,
  next_due_at timestamptz(3) not null default '0001-01-01T00:00:00Z',
  last_checked_at timestamptz(3),
  last_good_at timestamptz(3),
  last_changed_at timestamptz(3),
  snapshot_hash text,
  parser_version integer,
  -- What the price lines of this source were last derived from, and how many lines that was. price_version rises with
  -- every change to them, so that a plan made on what was read is only carried out if it still stands.
  ingested_hash text,
  ingested_parser integer,
  ingested_at timestamptz(3),
  ingested_lines integer,
  price_version bigint not null default 0,
  etag text,
  last_modified text,
  failures integer not null default 0,
  problem text,
  -- When the snapshot at hand says something else (an announced price takes effect), how long the last check took, and
  -- until when a running check has the source to itself.
  next_change_at timestamptz(3),
  last_duration_ms integer,
  collecting_until timestamptz(3),
  -- Where etag and last_modified come from: they mean nothing elsewhere.
  fetched_url text
);

create table source_provider (
  source text not null references source,
  provider text not null references provider,
  primary key (source, provider)
);

-- Raw bytes as fetched, gzip-compressed, by the SHA-256 of what was fetched. Everything derived can be derived again.
create table snapshot (
  hash text primary key check (hash ~ '^[0-9a-f]{64}$'),
  size integer not null,
  content_type text,
  bytes bytea not null,
  created_at timestamptz(3) not null
);
alter table snapshot alter column bytes set storage external;

create table source_fetch (
  fetch_id bigint generated always as identity primary key,
  source text not null references source,
  at timestamptz(3) not null,
  outcome text not null check (outcome in ('changed', 'unchanged', 'quarantined', 'failed')),
  snapshot_hash text references snapshot,
  http_status integer,
  headers jsonb,
  reason text,
  report jsonb
);
create index source_fetch_by_source on source_fetch (source, at desc);

-- removed_at: when the source stopped listing it under this name, because it is gone or because it was renamed.
create table resource (
  source text not null references source,
  provider text not null references provider,
  resource text not null,
  canonical_resource text,
  category text,
  first_priced_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (source, provider, resource)
);
create index resource_by_provider on resource (provider, resource);
create index resource_by_canonical on resource (canonical_resource);

-- A renaming holds from `at` until the old name is listed again (ended_at).
create table resource_rename (
  source text not null,
  provider text not null,
  old_resource text not null,
  new_resource text not null,
  at timestamptz(3) not null,
  ended_at timestamptz(3) check (ended_at > at),
  primary key (source, provider, old_resource, at)
);

create table alias_catalog (
  only_row boolean primary key default true check (only_row),
  version bigint not null default 0
);
insert into alias_catalog default values;

create table alias_group (
  group_id uuid primary key default uuidv7(),
  name text not null,
  revision integer not null default 1,
  updated_at timestamptz(3) not null,
  deleted_at timestamptz(3)
);
create unique index alias_group_name on alias_group (lower(name)) where deleted_at is null;

-- Who made each revision of a group, and what it was called then.
create table alias_revision (
  group_id uuid not null references alias_group,
  revision integer not null,
  at timestamptz(3) not null,
  name text not null,
  actor text not null,
  primary key (group_id, revision)
);

-- Members as exact resource names, with the time they were members: an event is matched as of its eligibleAt.
create table alias_member (
  group_id uuid not null references alias_group,
  provider text not null,
  resource text not null,
  joined_at timestamptz(3) not null,
  left_at timestamptz(3),
  primary key (group_id, provider, resource, joined_at)
);
create unique index alias_member_now on alias_member (group_id, provider, resource) where left_at is null;
create index alias_member_by_resource on alias_member (provider, resource);
