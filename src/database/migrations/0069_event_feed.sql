set local statement_timeout = 0;

-- Whether a price rose or fell: what the feed of changes is filtered by.
alter table event add column direction text check (direction in ('up', 'down', 'same'));
update event set direction =
  case sign((body::jsonb #>> '{current,price}')::numeric - (body::jsonb #>> '{previous,price}')::numeric)
    when 1 then 'up' when -1 then 'down' when 0 then 'same' end
where type = 'price.changed';

-- The feed is read from the newest event on, of all providers or of one.
create index event_by_provider on event (provider, seq desc);
create index event_by_direction on event (direction, seq desc) where direction is not null;
