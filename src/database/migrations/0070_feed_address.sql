-- The private address of an account's Atom feed. The token is in the address alone; here is its SHA-256. The table of
-- accounts comes with a later file, so nothing is referenced; an address of no account opens nothing.
create table feed_address (
  account_id uuid primary key,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
