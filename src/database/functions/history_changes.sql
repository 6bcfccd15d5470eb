-- One page of what differs between the rows of a scope at `since` and at `as_of`, in the order of content_hash: `prices`
-- are the texts of rows that are new or changed, `unpublished` is a JSON array of the identities of rows that are gone.
-- `entered` and `departed` are the providers that the scope has at one of the instants alone. A client that replaces
-- and deletes accordingly has the rows at `as_of`.
--
-- Where few rows changed, all of them are found by time (or by name or provider, as filters have it) and sorted; where
-- many did, an index in the order of pages is read until the page is full. The planner chose by statistics that say little
-- of the newest instants: with a million rows it read an index to its end to find that nothing had changed. So what
-- changed is counted first, no further than it matters. A scope of named resources (`by_name`) has few rows, which an
-- index finds whatever changed beside them: counting that took a page of one resource 20 ms of 22.
create or replace function history_changes(
  as_of timestamptz, since timestamptz, after_hash text, page_size integer,
  condition_now text, condition_then text, entered text[], departed text[], of_providers text[], by_name boolean,
  out prices text, out unpublished text, out last_hash text, out rows_found integer
)
language plpgsql stable
set max_parallel_workers_per_gather = 0 set jit = off set work_mem = '64MB'
as $$
declare
  served_now constant text := 'published_at <= $1 and (unpublished_at is null or unpublished_at > $1)';
  served_then constant text := 'published_at <= $2 and (unpublished_at is null or unpublished_at > $2)';
  selected constant text := 'select content_hash, body, source, provider, resource from publication where ';
  short constant text := 'octet_length(resource) + octet_length(body) <= 2200 and ';
  long constant text := 'octet_length(resource) + octet_length(body) > 2200 and ';
  -- A part of the page. `offset 0` keeps the planner from reading an index in the order of pages for it.
  all_begin constant text := '(select * from (';
  all_end constant text := ' offset 0) as few order by content_hash limit $4)';
  page_end constant text := ' order by content_hash limit $4)';
  -- Reading in order costs the table divided by what changed, for each page; sorting costs what changed.
  few integer;
  new_rows integer;
  gone_rows integer;
  renamed_names text[];
  renamed jsonb;
  renamed_then jsonb;
  renamed_since text[];
  -- With an interval added, no index finds rows by time.
  fresh text;
  gone text;
  fresh_part text;
  gone_part text;
  -- Whether a row that ended is served again.
  replaced text;
  shown text := 'body';
begin
  select r.names, r.listed_names into renamed_names, renamed from renamed_at(as_of, of_providers) r;
  select r.listed_names into renamed_then from renamed_at(since, of_providers) r;
  select array_agg(distinct regexp_replace(key, '^[^\x1f]*\x1f[^\x1f]*\x1f', '')) into renamed_since
  from jsonb_each(coalesce(renamed, '{}')) now (key, listed)
  full join jsonb_each(coalesce(renamed_then, '{}')) before (key, listed) using (key)
  where now.listed is distinct from before.listed;

  if by_name then
    few := 0;
    new_rows := 0;
    gone_rows := 0;
  else
    select sqrt(greatest(reltuples, 1) * page_size) / 2 into few from pg_class where oid = 'publication'::regclass;
    select count(*) into new_rows from (
      select from publication where published_at > since and published_at <= as_of limit few + 1) as counted;
    select count(*) into gone_rows from (
      select from publication where unpublished_at > since and unpublished_at <= as_of limit few + 1) as counted;
    if renamed_since is not null then
      new_rows := new_rows + (select count(*) from (
        select from publication where resource = any (renamed_since) limit few + 1) as counted);
    end if;
    if cardinality(entered) > 0 then
      new_rows := new_rows + (select count(*) from (
        select from publication where provider = any (entered) limit few + 1) as counted);
    end if;
    if cardinality(departed) > 0 then
      gone_rows := gone_rows + (select count(*) from (
        select from publication where provider = any (departed) limit few + 1) as counted);
    end if;
  end if;

  fresh := case when new_rows <= few then 'published_at > $2' else 'published_at + interval ''0'' > $2' end;
  gone := case when gone_rows <= few then 'unpublished_at > $2 and unpublished_at <= $1' else 'unpublished_at <= $1' end;
  if renamed_since is not null then
    fresh := fresh || format(' or resource = any (%L)', renamed_since);
  end if;
  if cardinality(entered) > 0 then
    fresh := fresh || format(' or provider = any (%L)', entered);
  end if;
  if cardinality(departed) > 0 then
    gone := gone || format(' or provider = any (%L)', departed);
  end if;
  if renamed is not null then
    shown := $shown$ case when resource = any ($5) then coalesce(
      left(body, -1) || ',"renamedTo":' || ($6 -> concat_ws(e'\x1f', source, provider, resource)) || '}', body)
      else body end $shown$;
  end if;

  -- Conditions hold names of resources, so they are joined to a text, never used as a format.
  fresh := served_now || ' and content_hash > $3 and ' || condition_now || ' and (' || fresh || ')';
  replaced := 'not exists (select from publication n where n.content_hash = p.content_hash and ' || served_now || ' and '
    || condition_now || ' offset 0)';
  fresh_part := case when new_rows <= few then all_begin || selected || fresh || all_end
    else '(' || selected || short || fresh || page_end || ' union all (' || selected || long || fresh || page_end end;
  gone := 'select content_hash, null as body, source, provider, resource from publication p where ' || served_then
    || ' and content_hash > $3 and ' || condition_then || ' and (' || gone || ')';
  -- Where rows are sorted first, those that are served again are looked up until the page is full.
  gone_part := case when gone_rows <= few
    then '(select * from (' || gone || ' order by content_hash offset 0) as p where ' || replaced
         || ' order by content_hash limit $4)'
    else '(' || gone || ' and ' || replaced || page_end end;
  execute format($query$
    with page as (
      select *, row_number() over (order by content_hash) as n
      from (%s union all %s) as changed (content_hash, body, source, provider, resource)
      order by content_hash limit $4
    )
    select coalesce(string_agg(%s, ',' order by content_hash) filter (where body is not null and n < $4), ''),
      coalesce(json_agg(content_hash order by content_hash) filter (where body is null and n < $4), '[]')::text,
      max(content_hash) filter (where n < $4), count(*)
    from page
  $query$, fresh_part, gone_part, shown)
  into prices, unpublished, last_hash, rows_found
  using as_of, since, after_hash, page_size, renamed_names, renamed;
end $$;
