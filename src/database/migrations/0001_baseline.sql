-- The tables of 1.0.0. An installation of 1.0.0 made them by other files (src/database/earlier-files.json) and is taken
-- for one that ran this file, so it stays as it is. Stored functions are in src/database/functions.

-- The clock and the catalogue ---------------------------------------------------------------------------------------

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
  activated_at timestamptz(3),
  created_at timestamptz(3) not null
);

create table provider_status (
  provider text not null references provider,
  at timestamptz(3) not null,
  status text not null check (status in ('pending', 'active', 'retired')),
  primary key (provider, at)
);

-- How a provider prices, as a history: in credits, and whether a price of it in USD is published. An answer reads it as
-- of its instant.
create table provider_pricing (
  provider text not null references provider,
  at timestamptz(3) not null,
  in_credits boolean not null,
  in_usd boolean not null,
  primary key (provider, at)
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
create index snapshot_age on snapshot (created_at);

-- A place prices or documents are read from. What it is comes from the declaration; here is how it fares.
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
  fetched_url text,
  -- A collection claims its source for two minutes and renews the claim while it works. A claim that lapsed belongs to
  -- a process that died: the source is tried once more, alone, then quarantined. interruptions counts such claims since
  -- the last recorded outcome; reading_hash is the snapshot that was being read.
  claim uuid,
  reading_since timestamptz(3),
  reading_hash text references snapshot,
  interruptions integer not null default 0,
  -- A witness source is read for evidence alone: its prices are never price lines.
  witness boolean not null default false
);

create table source_provider (
  source text not null references source,
  provider text not null references provider,
  primary key (source, provider)
);

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
-- What retention asks before it deletes a snapshot, and what the foreign key asks again.
create index source_fetch_by_snapshot on source_fetch (snapshot_hash) where snapshot_hash is not null;
create index source_fetch_age on source_fetch (at) where outcome <> 'changed';

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

-- Alias groups ------------------------------------------------------------------------------------------------------

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
create unique index alias_group_name on alias_group (alias_name_key(name)) where deleted_at is null;

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

-- Prices ------------------------------------------------------------------------------------------------------------
-- Lines, rows and statuses are written together, by one function, in one transaction, and none of them, no source and no
-- provider is ever deleted. They have no foreign keys: checking them, and the form of hashes that we make, took a third of
-- the time of a first load of a million lines.

-- A price line is one price of a resource; pricing_tier is the canonical JSON of its tier.
create table price_line (
  line_id bigint generated always as identity primary key,
  source text not null,
  provider text not null,
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
  -- Absent from the good fetches since then, this many of them; removed_at once that was confirmed.
  missing_since timestamptz(3),
  missing_count integer not null default 0,
  removed_at timestamptz(3),
  -- A held row stands while its source repeats it: since then, in this many good fetches. It is judged again at
  -- judged_again_at, though the source says nothing new.
  held_since timestamptz(3),
  held_fetches integer not null default 0,
  judged_again_at timestamptz(3),
  unique (source, provider, resource, dimension, unit, currency, pricing_tier)
);
-- Every fetch asks which lines of its source are absent or held: few of millions.
create index price_line_waiting on price_line (source)
  where held_hash is not null or (missing_since is not null and removed_at is null);

-- What was recorded, once and forever; only its status changes, in price_status. Whoever records rows locks their snapshot
-- once, which retention skips: a foreign key would cost a first load a query for each row.
create table price_row (
  content_hash text collate "C" primary key,
  line_id bigint not null,
  price numeric not null,
  recorded_at timestamptz(3) not null,
  effective_from text,
  canonical_resource text,
  category text,
  billing_condition text,
  snapshot_hash text,
  locator text,
  parser_version integer not null
);
create index price_row_by_line on price_row (line_id, recorded_at desc);
create index price_row_by_snapshot on price_row (snapshot_hash);

-- Append-only history of a row's status; reason and actor say why and who.
create table price_status (
  content_hash text collate "C" not null,
  seq bigint not null,
  at timestamptz(3) not null,
  status text not null check (status in ('pending', 'approved', 'auto_approved', 'rejected', 'withdrawn', 'removed')),
  reason text,
  actor text,
  primary key (content_hash, seq)
);

-- When a row is served, with the text it is served as: one period from each approval to the withdrawal or removal that
-- ends it. `body` is the row's JSON object, ready but for renamedTo. Everything a page of history shows or is narrowed by
-- is here: the line, when it was recorded, and what the filters compare.
create table publication (
  content_hash text collate "C" not null,
  published_at timestamptz(3) not null,
  unpublished_at timestamptz(3) check (unpublished_at > published_at),
  provider text not null,
  source text not null,
  resource text not null,
  body text not null,
  line_id bigint not null,
  recorded_at timestamptz(3) not null,
  dimension text not null,
  currency text not null,
  canonical_resource text
);
-- A row is served in one period at a time. One index says so, and finds the periods of a row: a primary key beside it would
-- be written for every row of a first load.
create unique index publication_periods on publication (content_hash, unpublished_at) nulls not distinct;
-- A page is read from one of the first two indexes alone: rows in the order they are served in, side by side, however
-- large the table. An index entry has room for 2,700 bytes, so the rare longer row is found by publication_long.
create index publication_by_provider on publication (provider, content_hash)
  include (published_at, unpublished_at, source, resource, dimension, line_id, recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_in_order on publication (content_hash)
  include (published_at, unpublished_at, provider, source, resource, dimension, line_id, recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_long on publication (content_hash) where octet_length(resource) + octet_length(body) > 2200;
-- How many rows are too long for the covering indexes: the planner took a third for granted.
create statistics publication_length on (octet_length(resource) + octet_length(body)) from publication;
-- For filters: the rows of one name, one canonical id or one dimension, in the order they are served in.
create index publication_by_resource on publication (resource, content_hash) include (provider);
create index publication_by_canonical on publication (canonical_resource, content_hash)
  where canonical_resource is not null;
create index publication_by_dimension on publication (dimension, content_hash);
-- Whether a line has a newer row, and whether a provider has a price in USD.
create index publication_by_line on publication (line_id, recorded_at);
create index publication_in_usd on publication (provider) where unpublished_at is null and currency = 'USD';
-- What changed since an instant.
create index publication_published on publication (published_at);
create index publication_unpublished on publication (unpublished_at) where unpublished_at is not null;
-- Keeps the covering indexes readable without the table: what changed is vacuumed soon, at any size.
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
  -- What was known about the price when it was judged last.
  evidence jsonb,
  primary key (review_id, content_hash)
);
create index review_row_by_row on review_row (content_hash);

-- What each source said whenever it was ingested, as a hash of its lines and prices: an old list that is served again
-- is recognized, whatever the order and notation of its bytes.
create table ingested_content (
  source text not null references source,
  content text not null,
  ingested_at timestamptz(3) not null,
  primary key (source, content)
);

-- What each witness source shows now, one row per line, as read from the snapshot that the source was last ingested
-- from. `shown_since` is when it first showed this price.
create table witness_price (
  source text not null references source,
  provider text not null,
  resource text not null,
  dimension text not null,
  unit text not null,
  currency text not null,
  pricing_tier text not null,
  price numeric not null,
  canonical_resource text,
  effective_from text,
  proof_url text,
  confidence text,
  validated_on text,
  locator text not null,
  shown_since timestamptz(3) not null,
  primary key (source, provider, resource, dimension, unit, currency, pricing_tier)
);
create index witness_price_by_line on witness_price (provider, dimension, unit, currency, pricing_tier);

-- What subscribers know of a volatile line: the row of the newest event about it, and when that was. Only lines whose
-- price changed since their source was declared volatile are here.
create table announced_price (
  line_id bigint primary key references price_line,
  content_hash text collate "C" not null references price_row,
  announced_at timestamptz(3)
);

-- The tables that hold the lines of a snapshot while it is compared, one per check. One whose check died is dropped by
-- the next check of its source, or after some hours.
create table staging (
  name text primary key,
  source text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);

-- The history as answers read it -------------------------------------------------------------------------------------

-- The timelines of the history. A restore from a backup begins a new one: what was published between the backup and the
-- loss (from lost_after, through lost_until) may have been answered and is not known any more. `fingerprint` names the
-- database that the timeline was recorded in; null until something is published or read.
create table history_timeline (
  timeline integer generated always as identity primary key,
  timeline_id uuid not null unique default uuidv7(),
  started_at timestamptz(3) not null default clock_timestamp(),
  reason text not null,
  fingerprint text,
  lost_after timestamptz(3),
  lost_until timestamptz(3),
  check ((lost_after is null) = (lost_until is null))
);
insert into history_timeline (reason) values ('installed');

-- The key that cursors of this installation are sealed with: 244 random bits, made once and kept for good, because a
-- cursor does not expire. It is not a key of webhook secrets, so an API process needs none of those.
create table cursor_key (
  only_row boolean primary key default true check (only_row),
  key bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)
);
insert into cursor_key default values;

-- What happened, in commit order (seq comes from the publication clock). `body` is the JSON sent, byte for byte.
create table event (
  seq bigint primary key,
  event_id text not null unique check (event_id !~ '\.'),
  type text not null,
  provider text,
  eligible_at timestamptz(3) not null,
  -- Names a resource filter may match: the provider's names (old and new) and canonical ids.
  resources text[] not null default '{}',
  -- Exact resource names an alias group may list.
  members text[] not null default '{}',
  document text,
  group_id uuid,
  credit_priced boolean not null default false,
  body text not null,
  matched_at timestamptz(3),
  -- Whether a price rose or fell: what the feed of changes is filtered by.
  direction text check (direction in ('up', 'down', 'same'))
);
create index event_unmatched on event (seq) where matched_at is null;
create index event_age on event (eligible_at);
-- The feed is read from the newest event on, of all providers or of one.
create index event_by_provider on event (provider, seq desc);
create index event_by_direction on event (direction, seq desc) where direction is not null;

-- Legal documents ---------------------------------------------------------------------------------------------------

-- A legal document a provider publishes, read from one source.
create table document (
  source text primary key references source,
  provider text not null references provider,
  document text not null,
  title text not null,
  url text not null,
  updated_at timestamptz(3) not null,
  unique (provider, document)
);

-- A readable text derived from a snapshot. A candidate waits for a second fetch; held waits for a person; expired went
-- away before it was confirmed; cosmetic is in force but says what its predecessor said. In force are the published and
-- cosmetic ones, the newest `recorded_at` last.
create table document_version (
  version_id uuid primary key default uuidv7(),
  source text not null references document,
  status text not null check (status in ('candidate', 'held', 'published', 'cosmetic', 'expired', 'rejected')),
  first_seen_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  fetches integer not null default 1,
  held_at timestamptz(3),
  recorded_at timestamptz(3),
  snapshot_hash text not null references snapshot,
  extractor text not null,
  markdown text not null,
  text_hash text not null,
  normal_hash text not null,
  effective_date date,
  updated_date date,
  classification text check (classification in ('cosmetic', 'dates', 'minor', 'substantive')),
  reasons text[] not null default '{}',
  previous_version uuid references document_version,
  returns_to uuid references document_version,
  event_id text,
  reviewed_by text,
  reviewed_at timestamptz(3),
  review_note text,
  -- Since when texts of a document have needed a review for the same reason: a hold does not begin again with every edit.
  doubt_since timestamptz(3),
  -- The units of a version's text that are not compared, because they differ at nearly every fetch.
  left_out text[] not null default '{}',
  check ((status in ('published', 'cosmetic')) = (recorded_at is not null))
);
create index document_version_in_force on document_version (source, recorded_at desc) where recorded_at is not null;
create unique index document_version_open on document_version (source) where status in ('candidate', 'held');
create index document_version_by_text on document_version (source, normal_hash);
create index document_version_by_snapshot on document_version (snapshot_hash);

-- The text that a page shows in place of a document, and since when. One that stays waits for a review.
create table document_quarantine (
  source text primary key references source,
  normal_hash text not null,
  reason text not null,
  since timestamptz(3) not null
);

-- What the fetches of a document taught: which of its places change at nearly every fetch.
create table document_volatility (
  source text primary key references source,
  places jsonb not null,
  updated_at timestamptz(3) not null
);

-- Workspaces and keys -----------------------------------------------------------------------------------------------

create table workspace (
  workspace_id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz(3) not null
);

create table api_key (
  key_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  -- SHA-256 of the whole key: the key itself is shown once and never stored.
  hash bytea not null unique,
  last_characters text not null,
  created_by text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  expires_at timestamptz(3)
);
create index api_key_by_workspace on api_key (workspace_id);

-- Token buckets (GCRA): `full_at` is when the bucket will be full again. Losing them on a crash costs nothing.
create unlogged table rate_bucket (
  key text primary key,
  full_at timestamptz not null
);

-- Webhooks and deliveries ---------------------------------------------------------------------------------------------

-- A workspace with webhooks is not deleted: their workflows and deliveries would end unseen.
create table webhook (
  webhook_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace,
  name text not null check (char_length(name) between 1 and 80),
  url text not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  paused_at timestamptz(3),
  paused_reason text,
  failures_in_row integer not null default 0,
  first_failure_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index webhook_by_workspace on webhook (workspace_id);

-- What a webhook wants, with the time it wanted it: an event is matched with the version in force at its eligibleAt.
create table webhook_version (
  webhook_id uuid not null references webhook on delete cascade,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  event_types text[] not null,
  every_provider boolean not null,
  providers text[] not null,
  -- Whether any group is listed, in webhook_group: then price and alias events are narrowed to the groups' members.
  by_groups boolean not null,
  primary key (webhook_id, valid_from)
);
create unique index webhook_version_now on webhook_version (webhook_id) where valid_to is null;

create table webhook_filter (
  webhook_id uuid not null,
  valid_from timestamptz(3) not null,
  provider text not null,
  resources text[] not null default '{}',
  documents text[] not null default '{}',
  primary key (webhook_id, valid_from, provider),
  foreign key (webhook_id, valid_from) references webhook_version on delete cascade
);

create table webhook_group (
  webhook_id uuid not null,
  valid_from timestamptz(3) not null,
  position integer not null,
  group_id uuid not null,
  primary key (webhook_id, valid_from, group_id),
  foreign key (webhook_id, valid_from) references webhook_version on delete cascade
);
create index webhook_group_by_group on webhook_group (group_id);

-- The newest secret signs; an older one signs too until signs_until.
create table webhook_secret (
  secret_id uuid primary key default uuidv7(),
  webhook_id uuid not null references webhook on delete cascade,
  key_id text not null,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  signs_until timestamptz(3)
);
create index webhook_secret_by_webhook on webhook_secret (webhook_id);

create table delivery (
  delivery_id uuid primary key default uuidv7(),
  webhook_id uuid not null references webhook on delete cascade,
  workspace_id uuid not null,
  event_id text not null references event (event_id),
  -- The `alias` member added to this delivery's body, as JSON, when a group is why it was sent.
  alias text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Why a failed delivery was not sent; null when its attempts failed.
  not_sent text check (not_sent in ('paused')),
  -- A resend starts a new cycle of six attempts.
  cycle integer not null default 1,
  -- Attempts of this cycle that count, and internal errors since the last of them.
  attempts integer not null default 0,
  faults integer not null default 0,
  due_at timestamptz(3),
  -- The newest cycle that a workflow was started for.
  started_cycle integer not null default 0,
  -- The round that granted the attempt that is being made (claimed_at is set) or was made last.
  round_id text,
  claimed_at timestamptz(3),
  created_at timestamptz(3) not null,
  last_attempt_at timestamptz(3),
  -- When it reached its end: succeeded, failed, or not sent.
  finished_at timestamptz(3),
  error text,
  -- When it was last resent: the 30 days of the log start again.
  resent_at timestamptz(3),
  -- Set for deliveries of 0.1.0 alone: what their workflow is called. 1.0.0 reads it.
  workflow_id text,
  unique (webhook_id, event_id),
  check (due_at is not null or status <> 'pending')
);
create index delivery_due on delivery (webhook_id, due_at, delivery_id) where status = 'pending' and claimed_at is null;
create index delivery_claimed on delivery (claimed_at) where claimed_at is not null;
create index delivery_unsent on delivery (webhook_id, created_at desc) where not_sent is not null;
create index delivery_log on delivery (webhook_id, created_at desc, delivery_id desc);
create index delivery_age on delivery using brin (created_at);
create index delivery_by_event on delivery (event_id);

create table attempt (
  delivery_id uuid not null references delivery on delete cascade,
  cycle integer not null,
  number integer not null,
  -- Tells apart attempts of one number that an internal error spoiled.
  run integer not null default 1,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  outcome text check (outcome in ('succeeded', 'failed', 'unknown', 'platform')),
  status integer,
  error text,
  duration_ms integer,
  response text,
  -- POSTs of one attempt before the one that the attempt reports: [{"startedAt", "error", "durationMs"}].
  earlier_posts jsonb,
  -- What was sent with an attempt and cannot be made again: when it was signed, in seconds, and the signatures.
  webhook_timestamp bigint,
  webhook_signature text,
  primary key (delivery_id, cycle, number, run)
);

-- What a delivery's workflow has still to learn: that it should read its row again, and why. No foreign keys: it
-- outlives the delivery and the webhook, so it carries what its workflow is called by.
create table delivery_notice (
  delivery_id uuid primary key,
  webhook_id uuid not null,
  what text not null,
  created_at timestamptz(3) not null,
  event_type text,
  workflow_id text
);
create index delivery_notice_by_webhook on delivery_notice (webhook_id);

-- Mails about webhooks that failures have paused: one for each admin, until it was sent. Whoever sends one claims it.
create table pause_mail (
  webhook_id uuid not null references webhook on delete cascade,
  paused_at timestamptz(3) not null,
  account_id uuid not null,
  claimed_until timestamptz(3),
  primary key (webhook_id, paused_at, account_id)
);

-- The installation and its processes ------------------------------------------------------------------------------------

-- The id of this installation, made at its first start. Temporal's schedule `check` carries it too: so two installations
-- never share a namespace.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null default uuidv7(),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- The Temporal namespace that runs the workflows: another id means its store was lost.
create table temporal_store (
  only_row boolean primary key default true check (only_row),
  namespace_id text
);
insert into temporal_store default values;

-- Every check that finished, by the database's clock.
create table check_run (
  run_id text primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  problems text[] not null
);
create index check_run_newest on check_run (finished_at desc);

-- Every process with workers, and what it found wrong when it last looked.
create table worker_heartbeat (
  worker_id uuid primary key,
  host text not null,
  process_id integer not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  conditions jsonb not null
);

-- Never keeps a row: readiness writes to it and rolls back, to learn that the database can be written.
create unlogged table write_probe (bytes bytea not null);
alter table write_probe alter column bytes set storage external;

-- What each machine's clock and the database's read at one moment of that machine's uptime. Uptime cannot be set, so a
-- clock that jumped ahead differs from what the anchor predicts.
create table clock_anchor (
  machine text primary key,
  database_at timestamptz(3) not null,
  machine_at timestamptz(3) not null,
  uptime_ms bigint not null
);

-- Through which channels operators were notified of a review item that waits too long: the log, their webhook, or an
-- address of theirs. An item is one of prices or of documents; what no longer waits is deleted.
create table operator_notice (
  item_id uuid not null,
  channel text not null,
  notified_at timestamptz(3) not null,
  primary key (item_id, channel)
);

-- Accounts ----------------------------------------------------------------------------------------------------------

create table account (
  account_id uuid primary key default uuidv7(),
  email text not null,
  -- The address as it is looked up: two spellings of one address are one account.
  email_key text not null unique,
  name text not null check (char_length(name) between 1 and 80),
  password_hash text not null,
  operator boolean not null default false,
  email_verified_at timestamptz(3),
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null
);

-- A session's token is in the browser's cookie alone; here is its SHA-256.
create table session (
  session_id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null
);
create index session_by_account on session (account_id);
create index session_by_expiry on session (expires_at);

-- Links that work once: a new one of a kind replaces the one before it. The token is in the link alone; here is its SHA-256.
create table account_link (
  kind text not null
    check (kind in ('first_account', 'sign_up', 'verify_email', 'reset_password', 'change_email')),
  -- Empty for the link to the first account.
  email_key text not null,
  email text not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  -- Null: valid until it is used or replaced.
  expires_at timestamptz(3),
  -- Of a link that gives an account another address: it goes to the new one.
  account_id uuid references account on delete cascade,
  primary key (kind, email_key)
);

create table workspace_member (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, account_id)
);
create index workspace_member_by_account on workspace_member (account_id);

-- Rows stay for at least a day, also when withdrawn: they count toward the 20 of any 24 hours.
create table invitation (
  invitation_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  email text not null,
  email_key text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null unique,
  -- Sent by mail: whoever has the link reads mail at this address.
  mailed boolean not null,
  invited_by uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  accepted_at timestamptz(3)
);
create index invitation_by_workspace on invitation (workspace_id, created_at);

-- Failed sign-ins by address, whether or not an account has it. Losing them on a crash costs nothing.
create unlogged table sign_in_failure (
  email_hash bytea primary key,
  failures integer not null,
  last_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null
);

-- Who did what to accounts, workspaces and keys, and with the app's other buttons. Append-only. No foreign keys: it
-- outlives what it is about. Its primary key kept the name that it has in installations of 1.0.0.
create table audit_entry (
  entry_id uuid default uuidv7() constraint account_action_pkey primary key,
  at timestamptz(3) not null,
  action text not null,
  account_id uuid,
  workspace_id uuid,
  detail jsonb not null default '{}',
  email text,
  address text,
  subject text
);
create index audit_entry_by_workspace on audit_entry (workspace_id, entry_id);
create index audit_entry_by_account on audit_entry (account_id, entry_id);
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change_of_audit();

-- Mails to people that the mail server did not take, until it does or their link has expired. Their text holds a link,
-- so it is sealed with the key of webhook secrets.
create table account_mail (
  mail_id uuid primary key default uuidv7(),
  to_address text not null,
  subject text not null,
  sealed bytea not null,
  expires_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  -- A newer mail of its kind replaces it: the link in it is void.
  unique (to_address, subject)
);
create index account_mail_by_try on account_mail (next_try_at);

-- The private address of an account's Atom feed. The token is in the address alone; here is its SHA-256. Nothing is
-- referenced: an address of no account opens nothing.
create table feed_address (
  account_id uuid primary key,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);

-- The second factor of an account: codes of an authenticator app. The secret is sealed with the key of webhook secrets.
create table account_totp (
  account_id uuid primary key references account on delete cascade,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  -- Null until a code of it was entered: until then no one is asked for one.
  confirmed_at timestamptz(3),
  -- The period of 30 seconds whose code was used last: no code of it or before works again.
  last_period bigint not null default 0
);
-- Each takes the place of one code, once. Codes are random, so their plain SHA-256 is safe to store.
create table recovery_code (
  account_id uuid not null references account_totp on delete cascade,
  code_hash bytea not null,
  primary key (account_id, code_hash)
);

-- Passkeys: key pairs of people's devices. Only the public half is here, so a backup signs no one in.
create table passkey (
  passkey_id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  -- Base64url, as browsers send it. The device chose it.
  credential_id text not null unique,
  public_key bytea not null,
  -- Rises with each use where the device counts; synced passkeys stay at 0.
  counter bigint not null,
  transports text[] not null,
  -- Its owner's other devices have it too.
  synced boolean not null,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index passkey_by_account on passkey (account_id, created_at);

-- What a device has to sign, as SHA-256: once, for five minutes, from the session that adds a passkey or from the browser
-- that signs in. Losing them on a crash costs a second try.
create unlogged table passkey_challenge (
  challenge_hash bytea primary key,
  session_id uuid references session on delete cascade,
  browser_hash bytea,
  expires_at timestamptz(3) not null,
  check ((session_id is null) <> (browser_hash is null))
);
create index passkey_challenge_by_session on passkey_challenge (session_id) where session_id is not null;
create index passkey_challenge_by_expiry on passkey_challenge (expires_at);
