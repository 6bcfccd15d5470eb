-- What waits to be delivered, as a worker last counted it: scrapes and probes read this row, however much waits.
create table waiting_deliveries (
  only_row boolean primary key default true check (only_row),
  -- Null before the first count.
  counted_at timestamptz(3),
  took_ms integer not null default 0,
  due bigint not null default 0,
  in_flight bigint not null default 0,
  later bigint not null default 0,
  paused bigint not null default 0,
  -- Workspaces with an active webhook, and those of them whose deliveries are late although their endpoint answers.
  workspaces integer not null default 0,
  late_workspaces integer not null default 0,
  oldest_due_at timestamptz(3)
);
insert into waiting_deliveries default values;
