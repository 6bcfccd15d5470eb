-- One page of price history as JSON text, joined from the bodies kept ready: rows served at `as_of`, in the order of
-- content_hash after `after_hash`. `with_confirmation` adds who confirmed each row as of the instant;
-- `confirmed_by` keeps the rows that were confirmed by their provider (provider), or by two sources of different origin
-- (independent). A filter that is null narrows nothing. `member_resources` are exact names of
-- `member_providers`, pair by pair. `current_only`: of each price line the newest row alone.
--
-- Each slice is an index range already in that order, so the database merges them and stops at the page's last row: a
-- page costs the rows it shows, whatever the number of slices. It is a function because the planner, left alone, prefers
-- to fetch whole slices and sort them (measured with 40 slices on a million rows: seconds for milliseconds).
-- The renamings in force become one map that only rows under a renamed name are looked up in: joined to every row of
-- the page, they doubled its time.
create or replace function history_rows(
  as_of timestamptz, after_hash text, page_size integer,
  providers text[], except_providers text[], member_providers text[], member_resources text[],
  resources text[], canonical_resources text[], dimensions text[], current_only boolean,
  with_confirmation boolean, confirmed_by text,
  out prices text, out rows_found integer
)
language plpgsql stable
set enable_sort = off set enable_bitmapscan = off set enable_seqscan = off
set max_parallel_workers_per_gather = 0 set jit = off set work_mem = '64MB' set enable_nestloop = on set enable_hashjoin = on
as $$
declare
  served constant text := ' where published_at <= $1 and (unpublished_at is null or unpublished_at > $1) and p.content_hash > $2';
  short constant text := ' and octet_length(resource) + octet_length(body) <= 2200';
  long constant text := ' and octet_length(resource) + octet_length(body) > 2200';
  -- Whether a row is superseded is in the index, but where a newer one was withdrawn before. `offset 0` keeps the planner
  -- from making a join of it, which would not stop at the page's last row.
  newest_of_line constant text := ' and (superseded_at is null or superseded_at > $1 '
    'or coalesce(current_again_at <= $1, false) and not exists (select from publication n where n.line_id = p.line_id '
    'and (n.recorded_at, n.content_hash) > (p.recorded_at, p.content_hash) '
    'and n.published_at <= $1 and (n.unpublished_at is null or n.unpublished_at > $1) offset 0))';
  newest_of_old_names constant text := ' and (resource <> all ($4) or is_newest_of_names('
    'p.line_id, p.recorded_at, p.content_hash, $5 ->> concat_ws(e''\x1f'', p.source, p.provider, p.resource), $6, $1))';
  state constant text := 'from row_confirmation c where c.content_hash = p.content_hash '
    'and c.since <= $1 and (c.until is null or c.until > $1) and c.contradicted_since is null and not c.superseded';
  fresh text[];
  own_word text[];
  own_provider text[];
  -- The period of a row: `offset 0` has it looked up. Where a page shows most rows of a range, both are read in one order.
  each_period constant text := ' left join lateral (select * from row_confirmation c where c.content_hash = p.content_hash '
    'and c.since <= $1 and (c.until is null or c.until > $1) offset 0) c on true';
  all_periods constant text := ' left join row_confirmation c on c.content_hash = p.content_hash and c.content_hash > $2 '
    'and c.since <= $1 and (c.until is null or c.until > $1)';
  in_order boolean := with_confirmation and not current_only and coalesce(member_resources, resources, canonical_resources) is null
    and (providers is not null or dimensions is null);
  confirmed_at jsonb;
  confirmed_by_own jsonb;
  read_at jsonb;
  usual_texts jsonb;
  usual text;
  first_read timestamptz;
  -- The filters that no slice stands for.
  narrowed text := '';
  slices text[];
  periods text[];
  renamed_names text[];
  renamed jsonb;
  old_names jsonb;
  shown text := 'body';
  renaming text := '''''';
  joined text;
begin
  select r.names, r.listed_names, r.old_names into renamed_names, renamed, old_names
  from renamed_at(as_of, coalesce(providers, member_providers)) r;
  if cardinality(except_providers) > 0 then
    narrowed := narrowed || format(' and p.provider <> all (%L)', except_providers);
  end if;
  if member_resources is not null then
    slices := array(select format(' and resource = %L and p.provider = any (%L)', r, array_agg(p))
                    from unnest(member_providers, member_resources) as member (p, r) group by r);
  elsif resources is not null then
    slices := array(select format(' and resource = %L', r) from unnest(resources) as r);
  elsif canonical_resources is not null then
    slices := array(select format(' and canonical_resource = %L', c) from unnest(canonical_resources) as c);
  elsif providers is not null then
    slices := array(select short || format(' and p.provider = %L', p) from unnest(providers) as p)
      || (long || format(' and p.provider = any (%L)', providers));
    periods := array(select all_periods || format(' and c.provider = %L', p) from unnest(providers) as p) || each_period;
  elsif dimensions is not null then
    -- Long rows are few: one slice of them all, narrowed below, is read from an index of their own.
    slices := array(select short || format(' and dimension = %L', d) from unnest(dimensions) as d) || long;
  else
    slices := array[short, long];
    periods := array[all_periods, each_period];
  end if;
  if providers is not null and (member_resources is not null or resources is not null
                                or canonical_resources is not null) then
    narrowed := narrowed || format(' and p.provider = any (%L)', providers);
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
  if confirmed_by is not null then
    -- Sources that were read lately, and those that are their provider's own word: everywhere, or for these providers.
    select array_agg(s.source) filter (where s.fresh),
      array_agg(s.source) filter (where s.fresh and s.rank = 0 and s.speaks_for is null),
      array_agg(concat_ws(e'\x1f', s.source, named)) filter (where s.fresh and s.rank = 0 and named is not null)
    into fresh, own_word, own_provider
    from confirming_sources(as_of) s left join unnest(s.speaks_for) as named on true;
  end if;
  if confirmed_by = 'provider' then
    narrowed := narrowed || ' and case '
      || 'when p.source = any ($8) or concat_ws(e''\x1f'', p.source, p.provider) = any ($9) '
      || 'then not exists (select ' || 'from row_confirmation c where c.content_hash = p.content_hash and c.since <= $1 '
      || 'and (c.until is null or c.until > $1) and not (c.contradicted_since is null and (c.said or c.by_provider)) offset 0) '
      || 'else exists (select ' || state || ' and c.by_provider offset 0) end';
  elsif confirmed_by = 'independent' then
    narrowed := narrowed || ' and exists (select ' || state
      || ' and (c.independent or c.said and c.independent_of_own and p.source = any ($7)) offset 0)';
  end if;
  if with_confirmation then
    select jsonb_object_agg(s.source, s.confirmed_at), jsonb_object_agg(s.source, s.at), min(s.at),
      jsonb_object_agg(s.source, s.by_list) || coalesce(
        (select jsonb_object_agg(concat_ws(e'\x1f', o.source, named), o.by_own_word)
         from confirming_sources(as_of) o cross join unnest(o.speaks_for) as named), '{}')
    into confirmed_at, read_at, first_read, confirmed_by_own
    from confirming_sources(as_of) s;
    -- Most rows of a source say the same.
    select jsonb_object_agg(key, (confirmed_at ->> split_part(key, e'\x1f', 1)) || value || '],"disagree":[]}'),
      case when bool_or(key like e'%\x1f%')
           then $usual$ $14 ->> concat_ws(e'\x1f', page.source, page.provider), $14 ->> page.source $usual$
           else '$14 ->> page.source' end
    into usual_texts, usual
    from jsonb_each_text(confirmed_by_own);
  end if;
  if renamed is not null then
    shown := $shown$ case when page.resource = any ($4) then coalesce(
      left(body, -1) || ',"renamedTo":' || ($5 -> concat_ws(e'\x1f', page.source, page.provider, page.resource)) || '}', body)
      else body end $shown$;
    renaming := $shown$ case when page.resource = any ($4) then coalesce(
      ',"renamedTo":' || ($5 -> concat_ws(e'\x1f', page.source, page.provider, page.resource))::text, '') else '' end $shown$;
  end if;
  if with_confirmation then
    -- Bytes are cut many times faster than characters.
    shown := 'substr(textsend(body), 1, octet_length(body) - 1) || textsend(' || renaming || $shown$ || case
      when others is null and page.recorded_at <= $13 then coalesce($shown$ || usual || $shown$, '')
      when ready is not null then case when $10 ? page.source then ready else '' end
      else coalesce(
        coalesce(contradicted,
          case when page.recorded_at > $13 and page.recorded_at > ($12 ->> page.source)::timestamptz
               then ',"confirmedAt":"' || instant_text(page.recorded_at) || '"' else $10 ->> page.source end)
        || coalesce($11 ->> concat_ws(e'\x1f', page.source, page.provider), $11 ->> page.source)
        || case when others is null then '],"disagree":[]}' when ($11 ->> page.source) like '%[' then ltrim(others, ',') else others end,
        '') end || '}')$shown$;
    joined := format('convert_from(string_agg(%s, '','' order by page.content_hash), ''UTF8'')', shown);
  else
    joined := format('string_agg(%s, '','' order by page.content_hash)', shown);
  end if;
  if in_order then
    perform set_config('enable_nestloop', 'off', true), set_config('enable_hashjoin', 'off', true);
  end if;
  execute format($query$
    select coalesce(%s, ''), count(*)
    from (select * from (%s) as slices order by content_hash limit $3) as page
  $query$, joined, (
    select string_agg(
      '(select p.content_hash, body, p.source, p.provider, resource, recorded_at'
      || case when with_confirmation then ', ready, contradicted, others' else '' end || ' from publication p'
      || case when not with_confirmation then '' when in_order then period else each_period end
      || served || slice || narrowed || ' order by p.content_hash)', ' union all ')
    from unnest(slices, periods) as parts (slice, period)))
  into prices, rows_found using as_of, after_hash, page_size, renamed_names, renamed, old_names, fresh, own_word, own_provider,
    confirmed_at, confirmed_by_own, read_at, first_read, usual_texts;
end $$;
