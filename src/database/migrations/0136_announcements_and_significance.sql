-- Prices that sources announce for a day to come. One announcement of a line is open at a time: the next one. What ended
-- stays, with why: `begun`, the source lists the price now; `changed`, it announces another price or day; `withdrawn`,
-- it announces none; `taken_over`, another source that decides about the line announces the same.
create table upcoming_price (
  upcoming_id bigint generated always as identity primary key,
  source text not null references source,
  provider text not null references provider,
  resource text not null,
  dimension text not null,
  unit text not null,
  currency text not null,
  pricing_tier text not null,
  price numeric not null,
  begins_at timestamptz(3) not null,
  -- The day as the source writes it.
  effective_from text not null,
  canonical_resource text,
  -- Where it was read first. A process of the version before may delete the snapshot while it still runs.
  snapshot_hash text,
  locator text not null,
  parser_version integer not null,
  -- In publications: what is announced can be read as of an instant.
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  -- The good fetches that showed it.
  fetches integer not null default 1,
  ended_at timestamptz(3),
  ended_because text check (ended_because in ('begun', 'changed', 'withdrawn', 'taken_over')),
  check ((ended_at is null) = (ended_because is null))
);
create unique index upcoming_price_open on upcoming_price
  (source, provider, resource, dimension, unit, currency, pricing_tier) where ended_at is null;
create index upcoming_price_by_resource on upcoming_price (provider, resource);
create index upcoming_price_by_snapshot on upcoming_price (snapshot_hash);
-- Snapshots at hand are read again for the prices that they announce.
update source set read_again = true where next_change_at is not null and ingested_at is not null;

-- How much a change of a document matters. It is computed once, when the change is recorded; changes recorded before have none.
create type significance as enum ('low', 'medium', 'high');
alter table event add column significance significance check (significance is null or type = 'tos.changed');
alter table document_version add column significance significance;

-- Changes below it are not sent. An event without a significance is sent whatever this is.
alter table webhook_version add column min_significance significance not null default 'low';
