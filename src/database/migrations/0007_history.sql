-- One page of price history as JSON text, joined from the bodies kept ready: rows served at `as_of`, in the order of
-- content_hash after `after_hash`, of the slices given as pairs of provider and resource (null: the whole provider), or
-- of every provider that does not price in credits when `providers` is null.
--
-- Each slice is an index range already in that order (publication_by_provider, publication_by_resource; all providers:
-- publication_in_order), so the database merges them and stops at the page's last row:
-- a page costs the rows it shows, whatever the number of slices. It is a function because the planner, left alone,
-- prefers to fetch whole slices and sort them (measured with 40 slices on a million rows: seconds for milliseconds).
-- The renamings in force become one map that only rows under a renamed name are looked up in: joined to every row of
-- the page, they doubled its time.
create function history_page(
  providers text[], resources text[], as_of timestamptz, after_hash text, page_size integer,
  out prices text, out rows_found integer
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
  renamed_names text[];
  renamed jsonb;
  shown text := 'body';
begin
  if providers is null then
    slices := array[served || short || 'not credit_priced' || ordered, served || long || 'not credit_priced' || ordered];
  else
    slices := array(select served || case when r is null then short else '' end || format('provider = %L', p)
                      || case when r is null then '' else format(' and resource = %L', r) end || ordered
                    from unnest(providers, resources) as slice (p, r))
      || (served || long || format('provider = any (%L)', array(
            select p from unnest(providers, resources) as slice (p, r) where r is null)) || ordered);
  end if;
  select names, listed_names into renamed_names, renamed from renamed_at(as_of, providers);
  if renamed is not null then
    shown := $shown$ case when resource = any ($4) then coalesce(
      left(body, -1) || ',"renamedTo":' || ($5 -> concat_ws(e'\x1f', source, provider, resource)) || '}', body)
      else body end $shown$;
  end if;
  execute format($query$
    select coalesce(string_agg(%s, ',' order by content_hash), ''), count(*)
    from (select * from (%s) as slices order by content_hash limit $3) as page
  $query$, shown, array_to_string(slices, ' union all '))
  into prices, rows_found using as_of, after_hash, page_size, renamed_names, renamed;
end $$;

-- The names that are no longer in use at an instant, and the names listed for them: renamings followed to their end.
-- Both are null when there are none. `listed_names` is by source, provider and old name.
create function renamed_at(as_of timestamptz, of_providers text[], out names text[], out listed_names jsonb)
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
  )
  select array_agg(distinct resource), jsonb_object_agg(concat_ws(e'\x1f', source, provider, resource), listed)
  from renamed where listed <> resource
$$;
