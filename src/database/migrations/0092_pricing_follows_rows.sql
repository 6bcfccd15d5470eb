set local statement_timeout = 0;

-- As a publication does: first of all.
select from publication_clock for update;

-- Whether a row in credits, or the price of a credit, is published of a provider.
create index publication_in_credits on publication (provider)
  where unpublished_at is null and (dimension = 'credits' or right(currency, 7) = '_CREDIT');

-- A provider that ever priced in credits was said to do so from then on. From now on what is published says so. Earlier
-- answers stay as they were.
do $$
declare
  stamp timestamptz(3);
  wrong text[];
begin
  select array_agg(p.provider) into wrong
  from provider p
  left join lateral (select q.in_credits from provider_pricing q
                     where q.provider = p.provider order by q.at desc limit 1) now on true
  where coalesce(now.in_credits, false) <> exists (
    select from publication o
    where o.provider = p.provider and o.unpublished_at is null
      and (o.dimension = 'credits' or right(o.currency, 7) = '_CREDIT'));
  if wrong is null then
    return;
  end if;
  update publication_clock set last_stamp = greatest(last_stamp + interval '1 millisecond', clock_timestamp())
  returning new.last_stamp into stamp;
  insert into provider_pricing (provider, at, in_credits, in_usd)
  select w, stamp, not coalesce(now.in_credits, false), coalesce(now.in_usd, false)
  from unnest(wrong) as w
  left join lateral (select q.in_credits, q.in_usd from provider_pricing q
                     where q.provider = w order by q.at desc limit 1) now on true;
end $$;
