set local statement_timeout = 0;

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

-- Good fetches of price sources, forever: the source itself answered, and what it said was taken in. `at` is a stamp of the
-- publication clock, so nothing is added at or before a closed instant. With what the declaration said then.
create table good_fetch (
  source text not null references source,
  at timestamptz(3) not null,
  rank smallint not null,
  speaks_for text[],
  stale_after_seconds integer not null,
  primary key (source, at)
);

-- Lines whose source says something else than the price that is served, as of its last snapshot: another price, nothing, or
-- what cannot be read. The present state alone.
create table unsaid_line (line_id bigint primary key references price_line);

-- Periods in which more is to be said of a served row than that its source says so:
-- * said = false: its source said otherwise, and did so last at confirmed_at (null: never, or before this was recorded)
-- * superseded: its line has a newer row
-- * contradicted_since: other sources contradict it
-- * agree, disagree: what other sources said, as JSON ready to be served; in disagree its own source too, in agree not
-- * by_provider, independent, independent_of_own: of those that agree one is the provider's own word, two are of different
--   origin, one is of another origin than its own source
-- `basis` tells whether the evidence is still that from which a period was made. Stamped by the publication clock.
create table row_confirmation (
  content_hash text collate "C" not null,
  since timestamptz(3) not null,
  until timestamptz(3) check (until > since),
  line_id bigint not null,
  provider text not null,
  source text not null,
  said boolean not null,
  superseded boolean not null,
  confirmed_at timestamptz(3),
  contradicted_since timestamptz(3),
  agree text not null,
  disagree text not null,
  by_provider boolean not null,
  independent boolean not null,
  independent_of_own boolean not null,
  basis numeric not null,
  -- What is served where it depends on nothing else, and where not, what follows the source itself among those that agree.
  ready text generated always as (
    case when superseded then coalesce(',"confirmedAt":"' || instant_text(confirmed_at) || '"', '')
         when not said then
           coalesce(',"contradictedSince":"' || instant_text(contradicted_since) || '"',
                    ',"confirmedAt":"' || instant_text(confirmed_at) || '"', '')
           || ',"confirmedBy":{"agree":[' || ltrim(agree, ',') || '],"disagree":[' || disagree || ']}' end) stored,
  contradicted text generated always as (',"contradictedSince":"' || instant_text(contradicted_since) || '"') stored,
  others text generated always as (agree || '],"disagree":[' || disagree || ']}') stored,
  primary key (content_hash, since)
);
create unique index row_confirmation_now on row_confirmation (content_hash) where until is null;
-- Beside the rows of a provider, in the order of pages.
create index row_confirmation_of_provider on row_confirmation (provider, content_hash, since);
create index row_confirmation_open on row_confirmation (line_id) where until is null;
create index row_confirmation_unsaid on row_confirmation (source)
  where until is null and not said and not superseded;

-- What the last comparison of all lines with the evidence was made from.
create table confirmation_pass (
  one boolean primary key default true check (one),
  basis text not null
);

-- Evidence of one line, whatever its source.
create index witness_price_of_line on witness_price (provider, resource, dimension, unit, currency, pricing_tier);
create index price_line_of_resource on price_line (provider, resource);

-- What existing installations know. Rows that were served before are not known to be confirmed after that.
insert into good_fetch (source, at, rank, speaks_for, stale_after_seconds)
select source, last_good_at, rank, speaks_for, stale_after_seconds
from source where kind = 'prices' and last_good_at is not null;
insert into unsaid_line (line_id)
select line_id from price_line
where current_hash is not null and removed_at is null
  and (held_hash is not null or missing_since is not null or decided_price is not null);
insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, agree, disagree, by_provider,
  independent, independent_of_own, basis)
select p.content_hash, '-infinity', p.line_id, p.provider, p.source, false, c.superseded, '',
       case when c.superseded then '' else '{"source":' || to_json(p.source) || '}' end, false, false, false, 0
from publication p join price_line l using (line_id)
cross join lateral (select l.removed_at is not null or l.current_hash is distinct from p.content_hash as superseded) c
where p.unpublished_at is null
  and (c.superseded or exists (select from unsaid_line u where u.line_id = p.line_id));
