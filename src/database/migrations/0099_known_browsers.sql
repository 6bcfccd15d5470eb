-- Browsers from which an account was signed in to: wrong passwords of strangers do not hold them up. The token is in the
-- browser's cookie alone; here is its SHA-256. One browser may be known to several accounts.
create table known_browser (
  token_hash bytea not null,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (token_hash, account_id)
);
create index known_browser_by_account on known_browser (account_id, last_used_at);
create index known_browser_by_use on known_browser (last_used_at);
