-- Since when a source could not be read: operators are notified after a day, once through each channel.
alter table source add column failing_since timestamptz(3);

create table source_notice (
  source text not null references source on delete cascade,
  channel text not null,
  notified_at timestamptz(3) not null,
  primary key (source, channel)
);
