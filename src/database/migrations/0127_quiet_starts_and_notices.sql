-- Which sources are served for which providers: freshness asks it at every request of the directory. It takes longest, so it
-- is first: readers wait for what follows.
create index price_line_served on price_line (source, provider, (missing_since is null))
  where current_hash is not null and removed_at is null;

-- A list that an installation begins to serve although it has sent events before: what it has from the start is not news.
alter table source add column starts_quietly boolean not null default false;

-- Whether an item asks a person. What time ends waits without asking, and can be decided all the same.
alter table review add column asks boolean not null default true;

-- Since when a source could not be read: operators are notified after a day, once through each channel.
alter table source add column failing_since timestamptz(3);

create table source_notice (
  source text not null references source on delete cascade,
  channel text not null,
  notified_at timestamptz(3) not null,
  primary key (source, channel)
);
