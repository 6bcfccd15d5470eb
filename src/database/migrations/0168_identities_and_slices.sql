-- What is due in one shard of a round: a shard is some of 256 slices of all workspaces, by a hash of their ids. In this
-- order a look jumps from webhook to webhook.
create index delivery_by_slice on delivery ((uuid_hash(workspace_id) & 255), webhook_id, due_at, delivery_id)
  where status = 'pending' and claimed_at is null;

-- Signing in with an identity provider. An account that it made has no password until its owner chooses one.
alter table account alter column password_hash drop not null;

-- Who an account is to an identity provider: issuer and subject. The address is the one that it named last, for people to read.
create table account_identity (
  identity_id uuid primary key default uuidv7(),
  account_id uuid not null references account on delete cascade,
  issuer text not null,
  subject text not null,
  email text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  unique (issuer, subject),
  unique (account_id, issuer)
);

-- The identity that a session was started with: signing out ends it at the provider too.
alter table session add column identity_id uuid references account_identity on delete set null;
create index session_by_identity on session (identity_id) where identity_id is not null;

-- A sign-in that is under way at the provider: once, from the browser that began it, and of a link, in its session. What else
-- belongs to it follows from the state and the browser's token, of which only hashes are here.
create unlogged table identity_handshake (
  state_hash bytea primary key,
  browser_hash bytea not null,
  session_id uuid references session on delete cascade,
  expires_at timestamptz(3) not null
);
create index identity_handshake_by_session on identity_handshake (session_id) where session_id is not null;
create index identity_handshake_by_expiry on identity_handshake (expires_at);
