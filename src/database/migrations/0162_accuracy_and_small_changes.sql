-- Where the bytes were read first: a URL, the path of a curated file as it is declared, or a release that came with the
-- product. Absent for snapshots of older versions.
alter table snapshot add column address text;

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

-- contract: unused since 1.0.0
-- draw_tokens took its place.
drop function if exists take_tokens(text[], double precision[], integer[]);

-- What differs at every fetch of a document is no longer learned. Processes of 1.0.0 still read and write both places;
-- the release after the next may drop them.
delete from document_volatility;
comment on table document_volatility is 'Unused since 1.1.0.';
comment on column document_version.left_out is 'Unused since 1.1.0.';

-- The text with which a change came that waits, where another text has replaced it and a part of the change lasts.
alter table document_version add column lasts_since uuid references document_version;

-- By how many per cent a price rose or fell. Null where there is no proportion (it began, ended or was zero), in events of
-- other types, and in those recorded before.
alter table event add column change_percent numeric
  check (change_percent >= 0 and (change_percent is null or type = 'price.changed'));

-- Smaller price changes are not sent. An event without a percentage is sent whatever this is.
alter table webhook_version add column min_change numeric not null default 0 check (min_change >= 0);
