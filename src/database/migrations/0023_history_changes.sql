set local statement_timeout = 0;

create index publication_published on publication (published_at);
create index publication_unpublished on publication (unpublished_at) where unpublished_at is not null;

-- The SQL condition that rows of a scope meet. A filter that is null narrows nothing.
create function rows_condition(
  providers text[], except_providers text[], member_providers text[], member_resources text[],
  resources text[], canonical_resources text[], dimensions text[]
) returns text language sql stable as $$
  select concat_ws(' and ', 'true',
    case when providers is not null then format('provider = any (%L)', providers) end,
    case when cardinality(except_providers) > 0 then format('provider <> all (%L)', except_providers) end,
    case when member_resources is not null then
      format('(provider, resource) in (select * from unnest(%L::text[], %L::text[]))', member_providers, member_resources)
    end,
    case when resources is not null then format('resource = any (%L)', resources) end,
    case when canonical_resources is not null then format('canonical_resource = any (%L)', canonical_resources) end,
    case when dimensions is not null then format('dimension = any (%L)', dimensions) end)
$$;

-- One page of what differs between the rows of a scope at `since` and at `as_of`, in the order of content_hash: `prices`
-- are the texts of rows that are new or changed, `unpublished` is a JSON array of the identities of rows that are gone.
-- `entered` and `departed` are the providers that the scope has at one of the instants alone. A client that replaces
-- and deletes accordingly has the rows at `as_of`. Few rows change, so the planner finds them by time and sorts them;
-- where many did, it reads publication_in_order and publication_long. Each part is limited to a page, so that it need
-- not be read to its end.
create function history_changes(
  as_of timestamptz, since timestamptz, after_hash text, page_size integer,
  condition_now text, condition_then text, entered text[], departed text[], of_providers text[],
  out prices text, out unpublished text, out last_hash text, out rows_found integer
)
language plpgsql stable
set max_parallel_workers_per_gather = 0 set jit = off set work_mem = '64MB'
as $$
declare
  served_now constant text := 'published_at <= $1 and (unpublished_at is null or unpublished_at > $1)';
  served_then constant text := 'published_at <= $2 and (unpublished_at is null or unpublished_at > $2)';
  renamed_names text[];
  renamed jsonb;
  renamed_then jsonb;
  renamed_since text[];
  fresh text := 'published_at > $2';
  gone text := 'unpublished_at <= $1';
  shown text := 'body';
begin
  select r.names, r.listed_names into renamed_names, renamed from renamed_at(as_of, of_providers) r;
  select r.listed_names into renamed_then from renamed_at(since, of_providers) r;
  select array_agg(distinct regexp_replace(key, '^[^\x1f]*\x1f[^\x1f]*\x1f', '')) into renamed_since
  from jsonb_each(coalesce(renamed, '{}')) now (key, listed)
  full join jsonb_each(coalesce(renamed_then, '{}')) before (key, listed) using (key)
  where now.listed is distinct from before.listed;
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
  execute format($query$
    with page as (
      select *, row_number() over (order by content_hash) as n
      from (
        (select content_hash, body, source, provider, resource from publication
         where octet_length(resource) + octet_length(body) <= 2200 and %1$s and content_hash > $3 and %3$s and (%5$s)
         order by content_hash limit $4)
        union all
        (select content_hash, body, source, provider, resource from publication
         where octet_length(resource) + octet_length(body) > 2200 and %1$s and content_hash > $3 and %3$s and (%5$s)
         order by content_hash limit $4)
        union all
        (select content_hash, null, source, provider, resource from publication p
         where %2$s and content_hash > $3 and %4$s and (%6$s)
           and not exists (select from publication where content_hash = p.content_hash and %1$s and %3$s offset 0)
         order by content_hash limit $4)
      ) as changed
      order by content_hash limit $4
    )
    select coalesce(string_agg(%7$s, ',' order by content_hash) filter (where body is not null and n < $4), ''),
      coalesce(json_agg(content_hash order by content_hash) filter (where body is null and n < $4), '[]')::text,
      max(content_hash) filter (where n < $4), count(*)
    from page
  $query$, served_now, served_then, condition_now, condition_then, fresh, gone, shown)
  into prices, unpublished, last_hash, rows_found
  using as_of, since, after_hash, page_size, renamed_names, renamed;
end $$;
