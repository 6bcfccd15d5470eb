-- The publication log: an RFC 6962 tree over what was published, in the order of publications. It is written behind the
-- publications, from what they leave in price_status and provider_status.

-- Where the log ends: its leaves, and the position in the history up to which everything has a leaf.
create table log_state (
  only_row boolean primary key default true check (only_row),
  size bigint not null default 0,
  after_seq bigint not null default 0,
  after_at timestamptz(3) not null default '0001-01-01T00:00:00Z',
  -- The timeline and the origin of the newest leaves; null before the first.
  timeline_id uuid,
  origin text
);
insert into log_state default values;

-- Tiles of height 8 (C2SP tlog-tiles): up to 256 hashes side by side, random bytes that nothing compresses.
create table log_tile (
  level smallint not null,
  tile bigint not null,
  hashes bytea not null check (octet_length(hashes) between 32 and 8192 and octet_length(hashes) % 32 = 0),
  primary key (level, tile)
);
alter table log_tile alter column hashes set storage external;

-- The leaves of each tile of level 0, each after its length in two bytes. A row's leaf is in the tile with the greatest
-- after_seq below the number of its status.
create table log_entries (
  tile bigint primary key,
  after_seq bigint not null,
  entries bytea not null
);
create index log_entries_by_seq on log_entries (after_seq, tile);

-- The names under which the log was signed. A restore begins another, so that no key signs two trees of one name.
create table log_origin (
  number integer generated always as identity primary key,
  origin text not null unique,
  -- Where its tiles are, below /v1/log; empty for the first timeline.
  path text not null,
  reason text not null check (reason in ('installed', 'restored', 'renamed')),
  since timestamptz(3) not null,
  first_size bigint not null,
  last_size bigint,
  lost_after timestamptz(3),
  lost_until timestamptz(3)
);

create table log_checkpoint (
  origin text not null references log_origin (origin),
  size bigint not null,
  at timestamptz(3) not null,
  note text not null,
  primary key (origin, size)
);

-- The keys that sign checkpoints. The private half is sealed with PRICETAPE_SECRET_KEY, and deleted when it signs no more.
create table log_key (
  number integer generated always as identity primary key,
  public_key bytea not null unique check (octet_length(public_key) = 32),
  sealed bytea,
  since timestamptz(3) not null default clock_timestamp(),
  -- Replaced keys sign beside their successor until then.
  signs_until timestamptz(3),
  -- Leaves there were when it was made, and in the last tree that it signed.
  first_size bigint not null,
  last_size bigint
);

-- The log reads statuses in the order of their numbers, which is that of their pages but for the rows of one publication.
create index price_status_by_seq on price_status using brin (seq) with (pages_per_range = 16, autosummarize = on);
