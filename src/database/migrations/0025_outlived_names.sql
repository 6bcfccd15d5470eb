-- Ends the rows under former names of resources that were removed while such rows still outlived them: from now on, so
-- that no earlier answer changes.
do $$
declare
  stamp timestamptz(3);
  first_seq bigint;
  gone text[];
begin
  select array_agg(p.content_hash) into gone
  from renamed_at('infinity', null) as former
  join publication p on p.resource = any (former.names) and p.unpublished_at is null
  join resource r on (r.source, r.provider, r.resource) =
    (p.source, p.provider, former.listed_names ->> concat_ws(e'\x1f', p.source, p.provider, p.resource))
  where r.removed_at is not null;
  if gone is null then
    return;
  end if;
  update publication_clock
  set last_stamp = greatest(last_stamp + interval '1 millisecond', clock_timestamp()), last_seq = last_seq + cardinality(gone)
  returning new.last_stamp, old.last_seq into stamp, first_seq;
  update publication set unpublished_at = stamp where content_hash = any (gone) and unpublished_at is null;
  insert into price_status (content_hash, seq, at, status, reason)
  select hash, first_seq + n, stamp, 'removed', 'no longer listed by its source'
  from unnest(gone) with ordinality as ended (hash, n);
  insert into provider_pricing (provider, at, in_credits, in_usd)
  select provider, stamp, now.in_credits, false
  from (select distinct provider from publication where content_hash = any (gone)) ended
  join lateral (select q.in_credits, q.in_usd from provider_pricing q
                where q.provider = ended.provider order by q.at desc limit 1) now on now.in_usd
  where not exists (select from publication o
                    where o.provider = ended.provider and o.unpublished_at is null and o.currency = 'USD');
end $$;
