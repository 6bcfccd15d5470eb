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
  matched_at timestamptz(3)
);
create index event_unmatched on event (seq) where matched_at is null;
