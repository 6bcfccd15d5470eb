-- The second factor of an account: codes of an authenticator app. The secret is sealed with the key of webhook secrets.
create table account_totp (
  account_id uuid primary key references account on delete cascade,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  -- Null until a code of it was entered: until then nobody is asked for one.
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
