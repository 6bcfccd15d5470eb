-- By how many per cent a price rose or fell. Null where there is no proportion (it began, ended or was zero), in events of
-- other types, and in those recorded before.
alter table event add column change_percent numeric
  check (change_percent >= 0 and (change_percent is null or type = 'price.changed'));

-- Smaller price changes are not sent. An event without a percentage is sent whatever this is.
alter table webhook_version add column min_change numeric not null default 0 check (min_change >= 0);
