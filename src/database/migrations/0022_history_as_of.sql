set local statement_timeout = 0;

-- Everything a page of history shows or is narrowed by is kept with the publication: the price line it belongs to, when
-- it was recorded, and what the filters compare.
alter table publication
  add column line_id bigint,
  add column recorded_at timestamptz(3),
  add column dimension text,
  add column currency text,
  add column canonical_resource text;
drop index publication_by_provider, publication_in_order, publication_long, publication_by_resource;
update publication p
set line_id = r.line_id, recorded_at = r.recorded_at, dimension = l.dimension, currency = l.currency,
    canonical_resource = r.canonical_resource
from price_row r join price_line l on l.line_id = r.line_id
where r.content_hash = p.content_hash;

-- How a provider prices, as a history: in credits, and whether a price of it in USD is published. An answer reads it as
-- of its instant.
create table provider_pricing (
  provider text not null references provider,
  at timestamptz(3) not null,
  in_credits boolean not null,
  in_usd boolean not null,
  primary key (provider, at)
);
with in_usd as (
  select provider, range_agg(tstzrange(published_at, unpublished_at)) as during
  from publication where currency = 'USD' group by provider
), in_credits as (
  -- Rows published before the provider was known to price in credits say since when it is.
  select p.provider, coalesce(
    (select min(o.published_at) from publication o where o.provider = p.provider and o.credit_priced
       and exists (select from publication before where before.provider = p.provider and not before.credit_priced
                     and before.published_at < o.published_at)),
    p.created_at) as since
  from provider p where p.credit_priced
), changed as (
  select provider, created_at as at from provider
  union select provider, since from in_credits
  union select provider, lower(period) from in_usd cross join unnest(during) as period
  union select provider, upper(period) from in_usd cross join unnest(during) as period where not upper_inf(period)
)
insert into provider_pricing (provider, at, in_credits, in_usd)
select c.provider, c.at, coalesce(k.since <= c.at, false), coalesce(u.during @> c.at::timestamptz, false)
from changed c left join in_credits k using (provider) left join in_usd u using (provider);
alter table provider drop column credit_priced;

alter table publication drop column credit_priced,
  alter column line_id set not null, alter column recorded_at set not null, alter column dimension set not null,
  alter column currency set not null;

-- A page is read from one of the first two indexes alone: rows in the order they are served in, side by side, however
-- large the table. An index entry has room for 2,700 bytes, so the rare longer row is found by publication_long.
create index publication_by_provider on publication (provider, content_hash)
  include (published_at, unpublished_at, source, resource, dimension, line_id, recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_in_order on publication (content_hash)
  include (published_at, unpublished_at, provider, source, resource, dimension, line_id, recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_long on publication (content_hash) where octet_length(resource) + octet_length(body) > 2200;
-- For filters: the rows of one name, one canonical id or one dimension, in the order they are served in.
create index publication_by_resource on publication (resource, content_hash) include (provider);
create index publication_by_canonical on publication (canonical_resource, content_hash)
  where canonical_resource is not null;
create index publication_by_dimension on publication (dimension, content_hash);
-- Whether a line has a newer row, and whether a provider has a price in USD.
create index publication_by_line on publication (line_id, recorded_at);
create index publication_in_usd on publication (provider) where unpublished_at is null and currency = 'USD';

drop function history_page(text[], text[], timestamptz, text, integer);
drop function renamed_at(timestamptz, text[]);

-- The names that are no longer in use at an instant, and the names listed for them: renamings followed to their end. All
-- are null when there are none. `listed_names` is by source, provider and old name; `old_names` is by source, provider
-- and listed name.
create function renamed_at(
  as_of timestamptz, of_providers text[], out names text[], out listed_names jsonb, out old_names jsonb
)
language sql stable
as $$
  with recursive rename as (
    select distinct on (source, provider, old_resource) source, provider, old_resource, new_resource
    from resource_rename
    where at <= as_of and (ended_at is null or ended_at > as_of)
      and (of_providers is null or provider = any (of_providers))
    order by source, provider, old_resource, at desc
  ), chain as (
    select source, provider, old_resource as resource, new_resource as listed, 1 as length from rename
    union all
    select c.source, c.provider, c.resource, r.new_resource, c.length + 1
    from chain c join rename r on (r.source, r.provider, r.old_resource) = (c.source, c.provider, c.listed)
    where c.length < 100
  ), renamed as (
    select distinct on (source, provider, resource) source, provider, resource, listed
    from chain order by source, provider, resource, length desc
  ), in_use as (
    select source, provider, listed, jsonb_agg(resource) as resources
    from renamed where listed <> resource group by source, provider, listed
  )
  select
    (select array_agg(distinct resource) from renamed where listed <> resource),
    (select jsonb_object_agg(concat_ws(e'\x1f', source, provider, resource), listed) from renamed where listed <> resource),
    (select jsonb_object_agg(concat_ws(e'\x1f', source, provider, listed), resources) from in_use)
$$;

-- One page of price history as JSON text, joined from the bodies kept ready: rows served at `as_of`, in the order of
-- content_hash after `after_hash`. A filter that is null narrows nothing. `member_resources` are exact names of
-- `member_providers`, pair by pair. `current_only`: of each price line the newest row alone.
--
-- Each slice is an index range already in that order, so the database merges them and stops at the page's last row: a
-- page costs the rows it shows, whatever the number of slices. It is a function because the planner, left alone, prefers
-- to fetch whole slices and sort them (measured with 40 slices on a million rows: seconds for milliseconds).
-- The renamings in force become one map that only rows under a renamed name are looked up in: joined to every row of
-- the page, they doubled its time.
create function history_page(
  as_of timestamptz, after_hash text, page_size integer,
  providers text[], except_providers text[], member_providers text[], member_resources text[],
  resources text[], canonical_resources text[], dimensions text[], current_only boolean,
  out prices text, out rows_found integer
)
language plpgsql stable
set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
set max_parallel_workers_per_gather = 0 set jit = off set work_mem = '64MB'
as $$
declare
  served constant text := '(select content_hash, body, source, provider, resource from publication p where '
    'published_at <= $1 and (unpublished_at is null or unpublished_at > $1) and content_hash > $2';
  short constant text := ' and octet_length(resource) + octet_length(body) <= 2200';
  long constant text := ' and octet_length(resource) + octet_length(body) > 2200';
  -- `offset 0` keeps the planner from making joins of these two, which would not stop at the page's last row.
  newest_of_line constant text := ' and not exists (select from publication n where n.line_id = p.line_id '
    'and (n.recorded_at, n.content_hash) > (p.recorded_at, p.content_hash) '
    'and n.published_at <= $1 and (n.unpublished_at is null or n.unpublished_at > $1) offset 0)';
  -- A line under an old name continues under the listed name: it is current while that one has no row, and the newest of
  -- those that continue there.
  newest_of_old_names constant text := $condition$
    and (resource <> all ($4) or not exists (
      select from (select $5 ->> concat_ws(e'\x1f', p.source, p.provider, p.resource) as name) as listed
      join price_line me on me.line_id = p.line_id
      join price_line o on (o.source, o.provider, o.dimension, o.unit, o.currency, o.pricing_tier)
                         = (me.source, me.provider, me.dimension, me.unit, me.currency, me.pricing_tier)
        and o.line_id <> me.line_id
        and o.resource in (select listed.name union all select jsonb_array_elements_text(
              $6 -> concat_ws(e'\x1f', p.source, p.provider, listed.name)))
      join publication n on n.line_id = o.line_id
        and n.published_at <= $1 and (n.unpublished_at is null or n.unpublished_at > $1)
        and (o.resource = listed.name or (n.recorded_at, n.content_hash) > (p.recorded_at, p.content_hash))
      where listed.name is not null
      offset 0)) $condition$;
  -- The filters that no slice stands for.
  narrowed text := '';
  slices text[];
  renamed_names text[];
  renamed jsonb;
  old_names jsonb;
  shown text := 'body';
begin
  select r.names, r.listed_names, r.old_names into renamed_names, renamed, old_names
  from renamed_at(as_of, coalesce(providers, member_providers)) r;
  if cardinality(except_providers) > 0 then
    narrowed := narrowed || format(' and provider <> all (%L)', except_providers);
  end if;
  if member_resources is not null then
    slices := array(select format(' and resource = %L and provider = any (%L)', r, array_agg(p))
                    from unnest(member_providers, member_resources) as member (p, r) group by r);
  elsif resources is not null then
    slices := array(select format(' and resource = %L', r) from unnest(resources) as r);
  elsif canonical_resources is not null then
    slices := array(select format(' and canonical_resource = %L', c) from unnest(canonical_resources) as c);
  elsif providers is not null then
    slices := array(select short || format(' and provider = %L', p) from unnest(providers) as p)
      || (long || format(' and provider = any (%L)', providers));
  elsif dimensions is not null then
    -- Long rows are few: one slice of them all, narrowed below, is read from an index of their own.
    slices := array(select short || format(' and dimension = %L', d) from unnest(dimensions) as d) || long;
  else
    slices := array[short, long];
  end if;
  if providers is not null and (member_resources is not null or resources is not null
                                or canonical_resources is not null) then
    narrowed := narrowed || format(' and provider = any (%L)', providers);
  end if;
  if canonical_resources is not null and (member_resources is not null or resources is not null) then
    narrowed := narrowed || format(' and canonical_resource = any (%L)', canonical_resources);
  end if;
  if resources is not null and member_resources is not null then
    narrowed := narrowed || format(' and resource = any (%L)', resources);
  end if;
  if dimensions is not null then
    narrowed := narrowed || format(' and dimension = any (%L)', dimensions);
  end if;
  if current_only then
    narrowed := narrowed || newest_of_line;
    if renamed is not null then
      narrowed := narrowed || newest_of_old_names;
    end if;
  end if;
  if renamed is not null then
    shown := $shown$ case when resource = any ($4) then coalesce(
      left(body, -1) || ',"renamedTo":' || ($5 -> concat_ws(e'\x1f', source, provider, resource)) || '}', body)
      else body end $shown$;
  end if;
  execute format($query$
    select coalesce(string_agg(%s, ',' order by content_hash), ''), count(*)
    from (select * from (%s) as slices order by content_hash limit $3) as page
  $query$, shown, (select string_agg(served || slice || narrowed || ' order by content_hash)', ' union all ')
                   from unnest(slices) as slice))
  into prices, rows_found using as_of, after_hash, page_size, renamed_names, renamed, old_names;
end $$;
