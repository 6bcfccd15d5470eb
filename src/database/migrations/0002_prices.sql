-- A price line is one price of a resource; pricing_tier is the canonical JSON of its tier.
create table price_line (
  line_id bigint generated always as identity primary key,
  source text not null references source,
  provider text not null references provider,
  resource text not null,
  dimension text not null,
  unit text not null,
  currency text not null,
  pricing_tier text not null,
  -- The newest published row and the row held for review, if there is one.
  current_hash text collate "C",
  held_hash text collate "C",
  -- The source's price a person has decided on: nothing is published or held for it until the source says another.
  decided_price text,
  -- Absent from the good fetches since then, so many of them; removed_at once that was confirmed.
  missing_since timestamptz(3),
  missing_count integer not null default 0,
  removed_at timestamptz(3),
  unique (source, provider, resource, dimension, unit, currency, pricing_tier)
);

-- What was recorded, once and for ever; only its status changes, in price_status.
create table price_row (
  content_hash text collate "C" primary key check (content_hash ~ '^[0-9a-f]{64}$'),
  line_id bigint not null references price_line,
  price numeric not null,
  recorded_at timestamptz(3) not null,
  effective_from text,
  canonical_resource text,
  category text,
  billing_condition text,
  snapshot_hash text references snapshot,
  locator text,
  parser_version integer not null
);
create index price_row_by_line on price_row (line_id, recorded_at desc);

-- Append-only history of a row's status; reason and actor say why and who.
create table price_status (
  content_hash text collate "C" not null references price_row,
  seq bigint not null,
  at timestamptz(3) not null,
  status text not null check (status in ('pending', 'approved', 'auto_approved', 'rejected', 'withdrawn', 'removed')),
  reason text,
  actor text,
  primary key (content_hash, seq)
);

-- When a row is served, with the text it is served as: one period from each approval to the withdrawal or removal that
-- ends it. `body` is the row's JSON object, ready but for renamedTo.
create table publication (
  content_hash text collate "C" not null,
  published_at timestamptz(3) not null,
  unpublished_at timestamptz(3) check (unpublished_at > published_at),
  provider text not null,
  source text not null,
  resource text not null,
  credit_priced boolean not null,
  body text not null,
  primary key (content_hash, published_at)
);
create unique index publication_open on publication (content_hash) where unpublished_at is null;
-- A page of history is read from this index alone: rows in the order they are served in, side by side, however large
-- the table. An index entry has room for 2,700 bytes, so the rare longer row is found by publication_long.
create index publication_by_provider on publication (provider, content_hash)
  include (published_at, unpublished_at, credit_priced, source, resource, body) where octet_length(body) <= 2000;
-- The same for a page of all providers: merging one range per provider costs the planner more than the page itself.
create index publication_in_order on publication (content_hash)
  include (published_at, unpublished_at, credit_priced, provider, source, resource, body) where octet_length(body) <= 2000;
create index publication_long on publication (content_hash) where octet_length(body) > 2000;
create index publication_by_resource on publication (provider, resource, content_hash);
-- Keeps that index readable without the table: what changed is vacuumed soon, at any size.
alter table publication set (autovacuum_vacuum_scale_factor = 0, autovacuum_vacuum_threshold = 5000,
  autovacuum_vacuum_insert_scale_factor = 0, autovacuum_vacuum_insert_threshold = 20000);

-- What a person has to decide: one item may hold many rows (a whole provider re-priced at once).
create table review (
  review_id uuid primary key default uuidv7(),
  source text not null references source,
  provider text not null,
  kind text not null,
  reasons text[] not null,
  opened_at timestamptz(3) not null,
  -- What is proposed beside the rows, such as the resources of a removal.
  detail jsonb not null default '{}',
  decided_at timestamptz(3),
  decision text check (decision in ('approved', 'rejected', 'superseded')),
  decided_by text,
  decision_reason text
);
create index review_open on review (opened_at) where decided_at is null;

create table review_row (
  review_id uuid not null references review,
  content_hash text collate "C" not null references price_row,
  reasons text[] not null,
  primary key (review_id, content_hash)
);
create index review_row_by_row on review_row (content_hash);
