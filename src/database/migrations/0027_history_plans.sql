-- The functions of 0022 and 0023, so that the planner reads long rows from publication_long and the others, where much
-- changed, from publication_in_order: a page of one dimension took fifteen times as long as a page of all rows.
-- Each part of what changed is limited to a page, so that it need not be read to its end.
create or replace function history_page(
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

create or replace function history_changes(
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
