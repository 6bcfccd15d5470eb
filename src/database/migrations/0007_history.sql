-- One page of price history as JSON text, joined from the bodies kept ready: rows served at `as_of`, in the order of
-- content_hash after `after_hash`, of the slices given as pairs of provider and resource (null: the whole provider), or
-- of every provider that does not price in credits when `providers` is null.
--
-- Each slice is an index range already in that order, so the database merges them and stops at the page's last row:
-- a page costs the rows it shows, whatever the number of slices. It is a function because the planner, left alone,
-- prefers to fetch whole slices and sort them (measured with 40 slices on a million rows: seconds for milliseconds).
create function history_page(
  providers text[], resources text[], as_of timestamptz, after_hash text, page_size integer,
  out prices text, out last_hash text, out more boolean
)
language plpgsql stable
set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
set max_parallel_workers_per_gather = 0 set jit = off set work_mem = '64MB'
as $$
declare
  served constant text := '(select content_hash, body, source, provider, resource from publication where '
    'published_at <= $1 and (unpublished_at is null or unpublished_at > $1) and content_hash > $2 and ';
  ordered constant text := ' order by content_hash)';
  short constant text := 'octet_length(body) <= 2000 and ';
  long constant text := 'octet_length(body) > 2000 and ';
  slices text[];
  rows_of_slices text;
  rows_found integer;
begin
  if providers is null then
    slices := array(select served || short || format('not credit_priced and provider = %L', p.provider) || ordered
                    from provider p)
      || (served || long || 'not credit_priced' || ordered);
  else
    slices := array(select served || case when r is null then short else '' end || format('provider = %L', p)
                      || case when r is null then '' else format(' and resource = %L', r) end || ordered
                    from unnest(providers, resources) as slice (p, r))
      || (served || long || format('provider = any (%L)', array(
            select p from unnest(providers, resources) as slice (p, r) where r is null)) || ordered);
  end if;
  rows_of_slices := array_to_string(slices, ' union all ');
  if exists (select from resource_rename where at <= as_of and (ended_at is null or ended_at > as_of)) then
    execute format($query$
      with recursive rename as (
        select distinct on (source, provider, old_resource) source, provider, old_resource, new_resource
        from resource_rename where at <= $1 and (ended_at is null or ended_at > $1)
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
      )
      select string_agg(
          case when listed is null or listed = page.resource then body
               else left(body, -1) || ',"renamedTo":' || to_json(listed) || '}' end,
          ',' order by content_hash), max(content_hash), count(*)
      from (select * from (%s) as slices order by content_hash limit $3) as page
      left join renamed using (source, provider, resource)
    $query$, rows_of_slices) into prices, last_hash, rows_found using as_of, after_hash, page_size;
  else
    execute format($query$
      select string_agg(body, ',' order by content_hash), max(content_hash), count(*)
      from (select * from (%s) as slices order by content_hash limit $3) as page
    $query$, rows_of_slices) into prices, last_hash, rows_found using as_of, after_hash, page_size;
  end if;
  prices := coalesce(prices, '');
  more := rows_found = page_size;
  if more then
    execute format('select exists (select from (%s) as slices)', rows_of_slices) into more using as_of, last_hash;
  end if;
end $$;
