create table account (
  account_id uuid primary key default uuidv7(),
  email text not null,
  -- The address as it is looked up: two spellings of one address are one account.
  email_key text not null unique,
  name text not null check (char_length(name) between 1 and 80),
  password_hash text not null,
  operator boolean not null default false,
  email_verified_at timestamptz(3),
  disabled_at timestamptz(3),
  created_at timestamptz(3) not null
);

-- A session's token is in the browser's cookie alone; here is its SHA-256.
create table session (
  session_id uuid primary key default uuidv7(),
  token_hash bytea not null unique,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  address text not null,
  user_agent text not null
);
create index session_by_account on session (account_id);
create index session_by_expiry on session (expires_at);

-- Links that work once: a new one of a kind replaces the one before it. The token is in the link alone; here is its SHA-256.
create table account_link (
  kind text not null check (kind in ('first_account', 'sign_up', 'verify_email', 'reset_password')),
  -- Empty for the link to the first account.
  email_key text not null,
  email text not null,
  token_hash bytea not null unique,
  created_at timestamptz(3) not null,
  -- Null: valid until it is used or replaced.
  expires_at timestamptz(3),
  primary key (kind, email_key)
);

create table workspace_member (
  workspace_id uuid not null references workspace on delete cascade,
  account_id uuid not null references account on delete cascade,
  role text not null check (role in ('admin', 'member')),
  created_at timestamptz(3) not null,
  primary key (workspace_id, account_id)
);
create index workspace_member_by_account on workspace_member (account_id);

-- Rows stay for at least a day, also when withdrawn: they count toward the 20 of any 24 hours.
create table invitation (
  invitation_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  email text not null,
  email_key text not null,
  role text not null check (role in ('admin', 'member')),
  token_hash bytea not null unique,
  -- Sent by mail: whoever has the link reads mail at this address.
  mailed boolean not null,
  invited_by uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  withdrawn_at timestamptz(3),
  accepted_at timestamptz(3)
);
create index invitation_by_workspace on invitation (workspace_id, created_at);

-- Failed sign-ins by address, whether or not an account has it. Losing them on a crash costs nothing.
create unlogged table sign_in_failure (
  email_hash bytea primary key,
  failures integer not null,
  last_at timestamptz(3) not null,
  blocked_until timestamptz(3) not null
);

-- Who did what to accounts, workspaces and keys. No foreign keys: it outlives what it is about.
create table account_action (
  action_id uuid primary key default uuidv7(),
  at timestamptz(3) not null,
  action text not null,
  account_id uuid,
  workspace_id uuid,
  detail jsonb not null default '{}'
);
create index account_action_by_workspace on account_action (workspace_id, at);
