-- What each machine's clock and the database's read at one moment of that machine's uptime. Uptime cannot be set, so a
-- clock that jumped ahead differs from what the anchor predicts.
create table clock_anchor (
  machine text primary key,
  database_at timestamptz(3) not null,
  machine_at timestamptz(3) not null,
  uptime_ms bigint not null
);
