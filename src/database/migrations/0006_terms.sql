create table document (
  source text primary key references source,
  provider text not null references provider,
  document text not null,
  title text not null,
  url text not null,
  unique (provider, document)
);

-- A readable text derived from a snapshot. `recorded_at` is when it was first taken for the provider's text.
create table document_version (
  version_id uuid primary key default uuidv7(),
  source text not null references document,
  recorded_at timestamptz(3) not null,
  snapshot_hash text not null references snapshot,
  extractor_version integer not null,
  markdown text not null,
  text_hash text not null,
  normal_hash text not null,
  effective_from text,
  status text not null check (status in ('published', 'held', 'rejected', 'cosmetic')),
  classification text,
  reasons text[] not null default '{}'
);
create index document_version_by_source on document_version (source, recorded_at desc);
