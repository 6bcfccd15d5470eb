-- The tables that hold the lines of a snapshot while it is compared, one per check. One whose check died is dropped by
-- the next check of its source, or after some hours.
create table staging (
  name text primary key,
  source text not null,
  created_at timestamptz(3) not null default clock_timestamp()
);
