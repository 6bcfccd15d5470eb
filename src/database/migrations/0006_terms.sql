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

-- A readable text derived from a snapshot. A candidate waits for a second fetch; held waits for a person; lapsed went
-- away before it was confirmed; cosmetic is in force but says what its predecessor said. In force are the published and
-- cosmetic ones, the newest `recorded_at` last.
create table document_version (
  version_id uuid primary key default uuidv7(),
  source text not null references document,
  status text not null check (status in ('candidate', 'held', 'published', 'cosmetic', 'lapsed', 'rejected')),
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
  check ((status in ('published', 'cosmetic')) = (recorded_at is not null))
);
create index document_version_in_force on document_version (source, recorded_at desc) where recorded_at is not null;
create unique index document_version_open on document_version (source) where status in ('candidate', 'held');
create index document_version_by_text on document_version (source, normal_hash);
