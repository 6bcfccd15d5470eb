create table webhook (
  webhook_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  url text not null,
  state text not null default 'active' check (state in ('active', 'paused')),
  paused_at timestamptz(3),
  paused_reason text,
  failures_in_row integer not null default 0,
  first_failure_at timestamptz(3),
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null
);
create index webhook_by_workspace on webhook (workspace_id);

-- What a webhook wants, with the time it wanted it: an event is matched with the version in force at its eligibleAt.
create table webhook_version (
  webhook_id uuid not null references webhook on delete cascade,
  valid_from timestamptz(3) not null,
  valid_to timestamptz(3),
  event_types text[] not null,
  every_provider boolean not null,
  providers text[] not null,
  -- Whether any group is listed, in webhook_group: then price and alias events are narrowed to the groups' members.
  by_groups boolean not null,
  primary key (webhook_id, valid_from)
);
create unique index webhook_version_now on webhook_version (webhook_id) where valid_to is null;

create table webhook_filter (
  webhook_id uuid not null,
  valid_from timestamptz(3) not null,
  provider text not null,
  resources text[] not null default '{}',
  documents text[] not null default '{}',
  primary key (webhook_id, valid_from, provider),
  foreign key (webhook_id, valid_from) references webhook_version on delete cascade
);

create table webhook_group (
  webhook_id uuid not null,
  valid_from timestamptz(3) not null,
  position integer not null,
  group_id uuid not null,
  primary key (webhook_id, valid_from, group_id),
  foreign key (webhook_id, valid_from) references webhook_version on delete cascade
);
create index webhook_group_by_group on webhook_group (group_id);

-- The newest secret signs; an older one signs too until signs_until.
create table webhook_secret (
  secret_id uuid primary key default uuidv7(),
  webhook_id uuid not null references webhook on delete cascade,
  key_id text not null,
  sealed bytea not null,
  created_at timestamptz(3) not null,
  signs_until timestamptz(3)
);
create index webhook_secret_by_webhook on webhook_secret (webhook_id);

create table delivery (
  delivery_id uuid primary key default uuidv7(),
  webhook_id uuid not null references webhook on delete cascade,
  workspace_id uuid not null,
  event_id text not null references event (event_id),
  -- The `alias` member added to this delivery's body, as JSON, when a group is why it was sent.
  alias text,
  status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
  -- Why a failed delivery was not sent; null when its attempts failed.
  not_sent text check (not_sent in ('paused')),
  -- A resend starts a new cycle of six attempts.
  cycle integer not null default 1,
  -- Attempts of this cycle that count, and faults of ours since the last of them.
  attempts integer not null default 0,
  faults integer not null default 0,
  due_at timestamptz(3),
  -- The newest cycle that a workflow was started for.
  started_cycle integer not null default 0,
  -- The round that granted the attempt that is being made (claimed_at is set) or was made last.
  round_id text,
  claimed_at timestamptz(3),
  created_at timestamptz(3) not null,
  last_attempt_at timestamptz(3),
  settled_at timestamptz(3),
  error text,
  unique (webhook_id, event_id),
  check (due_at is not null or status <> 'pending')
);
create index delivery_due on delivery (webhook_id, due_at, delivery_id) where status = 'pending' and claimed_at is null;
create index delivery_claimed on delivery (claimed_at) where claimed_at is not null;
create index delivery_unsent on delivery (webhook_id, created_at desc) where not_sent is not null;
create index delivery_log on delivery (webhook_id, created_at desc, delivery_id desc);
create index delivery_age on delivery using brin (created_at);
create index delivery_by_event on delivery (event_id);

create table attempt (
  delivery_id uuid not null references delivery on delete cascade,
  cycle integer not null,
  number integer not null,
  -- Tells apart attempts of one number that a fault of ours spoiled.
  run integer not null default 1,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3),
  outcome text check (outcome in ('succeeded', 'failed', 'unknown', 'platform')),
  status integer,
  error text,
  duration_ms integer,
  response text,
  primary key (delivery_id, cycle, number, run)
);

-- What a delivery's workflow has still to be told: that it should read its row again, and why. No foreign keys: it
-- outlives the delivery and the webhook.
create table delivery_notice (
  delivery_id uuid primary key,
  webhook_id uuid not null,
  what text not null,
  created_at timestamptz(3) not null
);
create index delivery_notice_by_webhook on delivery_notice (webhook_id);

-- The Temporal namespace that runs the workflows: another id means its store was lost.
create table temporal_store (
  only_row boolean primary key default true check (only_row),
  namespace_id text
);
insert into temporal_store default values;
