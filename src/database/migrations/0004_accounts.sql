create table workspace (
  workspace_id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz(3) not null
);

create table api_key (
  key_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  hash bytea not null unique,
  last_characters text not null,
  created_by text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index api_key_by_workspace on api_key (workspace_id);

-- Token buckets (GCRA): `full_at` is when the bucket will be full again. Losing them on a crash costs nothing.
create unlogged table rate_bucket (
  key text primary key,
  full_at timestamptz not null
);
