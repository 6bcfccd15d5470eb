-- Passkeys: key pairs of people's devices. Only the public half is here, so a backup signs nobody in.
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
