-- What the daily comparison of served prices with their sources gave. The newest run of a day replaces those before it.
create table accuracy_run (
  day date primary key,
  measured_at timestamptz(3) not null,
  -- Changes that were published in the 24 hours before, and how many hours after they were first seen anywhere.
  published integer not null,
  hours_median double precision,
  hours_p90 double precision
);

-- One row for each provider and each rank of the sources that its prices are served from.
create table accuracy_day (
  day date not null references accuracy_run on delete cascade,
  provider text not null,
  rank smallint not null,
  by_provider integer not null,
  independent integer not null,
  own_list integer not null,
  contradicted integer not null,
  unconfirmed integer not null,
  -- The same prices by when their own source last said so.
  said_day integer not null,
  said_week integer not null,
  said_month integer not null,
  said_before integer not null,
  published integer not null,
  hours_median double precision,
  hours_p90 double precision,
  primary key (day, provider, rank)
);
