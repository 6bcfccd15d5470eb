-- A list that an installation begins to serve although it has sent events before: what it has from the start is no news.
alter table source add column starts_quietly boolean not null default false;
