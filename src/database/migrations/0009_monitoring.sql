-- The id of this installation, made at its first start. Temporal's schedule `check` carries it too: so two installations
-- never share a namespace.
create table installation (
  only_row boolean primary key default true check (only_row),
  installation_id uuid not null default uuidv7(),
  created_at timestamptz(3) not null default clock_timestamp()
);

-- Every check that finished, by the database's clock.
create table check_run (
  run_id text primary key,
  started_at timestamptz(3) not null,
  finished_at timestamptz(3) not null,
  problems text[] not null
);
create index check_run_newest on check_run (finished_at desc);

-- Every process with workers, and what it found wrong when it last looked.
create table worker_heartbeat (
  worker_id uuid primary key,
  host text not null,
  process_id integer not null,
  started_at timestamptz(3) not null,
  seen_at timestamptz(3) not null,
  conditions jsonb not null
);

-- Never keeps a row: readiness writes to it and rolls back, to learn that the database can be written.
create unlogged table write_probe (bytes bytea not null);
alter table write_probe alter column bytes set storage external;
