-- A source that is no longer declared ends after a while: undeclared_at is when that was noticed, ended_at when its price
-- lines were removed. Both are null again once it is declared again.
alter table source
  add column undeclared_at timestamptz(3),
  add column ended_at timestamptz(3);

-- A provider with documents alone is active from its first text in force on. Those that have one by now became available
-- before that was recorded: like providers older than the directory they have no activated_at, and no event.
insert into provider_status (provider, at, status)
select p.provider, greatest(date_trunc('milliseconds', clock_timestamp()), c.last_stamp + interval '1 ms'), 'active'
from provider p
cross join publication_clock c
cross join lateral (select s.status from provider_status s where s.provider = p.provider order by s.at desc limit 1) now
where now.status = 'pending'
  and exists (select from document d join document_version v using (source)
              where d.provider = p.provider and v.recorded_at is not null)
on conflict (provider, at) do update set status = excluded.status;
