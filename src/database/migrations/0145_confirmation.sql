set local statement_timeout = 0;

-- Good fetches of price sources, forever: the source itself answered, and what it said was taken in. `at` is a stamp of the
-- publication clock, so nothing is added at or before a closed instant. With what the declaration said then.
create table good_fetch (
  source text not null references source,
  at timestamptz(3) not null,
  rank smallint not null,
  speaks_for text[],
  stale_after_seconds integer not null,
  primary key (source, at)
);

-- Lines whose source says something else than the price that is served, as of its last snapshot: another price, nothing, or
-- what cannot be read. The present state alone.
create table unsaid_line (line_id bigint primary key references price_line);

create function instant_text(at timestamptz) returns text language sql immutable
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');

-- Periods in which more is to be said of a served row than that its source says so:
-- * said = false: its source said otherwise, and did so last at confirmed_at (null: never, or before this was recorded)
-- * superseded: its line has a newer row
-- * contradicted_since: other sources contradict it
-- * agree, disagree: what other sources said, as JSON ready to be served; in disagree its own source too, in agree not
-- * by_provider, independent, independent_of_own: of those that agree one is the provider's own word, two are of different
--   origin, one is of another origin than its own source
-- `basis` tells whether the evidence is still that from which a period was made. Stamped by the publication clock.
create table row_confirmation (
  content_hash text collate "C" not null,
  since timestamptz(3) not null,
  until timestamptz(3) check (until > since),
  line_id bigint not null,
  provider text not null,
  source text not null,
  said boolean not null,
  superseded boolean not null,
  confirmed_at timestamptz(3),
  contradicted_since timestamptz(3),
  agree text not null,
  disagree text not null,
  by_provider boolean not null,
  independent boolean not null,
  independent_of_own boolean not null,
  basis numeric not null,
  -- What is served where it depends on nothing else, and where not, what follows the source itself among those that agree.
  ready text generated always as (
    case when superseded then coalesce(',"confirmedAt":"' || instant_text(confirmed_at) || '"', '')
         when not said then
           coalesce(',"contradictedSince":"' || instant_text(contradicted_since) || '"',
                    ',"confirmedAt":"' || instant_text(confirmed_at) || '"', '')
           || ',"confirmedBy":{"agree":[' || ltrim(agree, ',') || '],"disagree":[' || disagree || ']}' end) stored,
  contradicted text generated always as (',"contradictedSince":"' || instant_text(contradicted_since) || '"') stored,
  others text generated always as (agree || '],"disagree":[' || disagree || ']}') stored,
  primary key (content_hash, since)
);
create unique index row_confirmation_now on row_confirmation (content_hash) where until is null;
-- Beside the rows of a provider, in the order of pages.
create index row_confirmation_of_provider on row_confirmation (provider, content_hash, since);
create index row_confirmation_open on row_confirmation (line_id) where until is null;
create index row_confirmation_unsaid on row_confirmation (source)
  where until is null and not said and not superseded;

-- What the last comparison of all lines with the evidence was made from.
create table confirmation_pass (
  one boolean primary key default true check (one),
  basis text not null
);

-- Evidence of one line, whatever its source.
create index witness_price_of_line on witness_price (provider, resource, dimension, unit, currency, pricing_tier);
create index price_line_of_resource on price_line (provider, resource);

-- What existing installations know. Rows that were served before are not known to be confirmed after that.
insert into good_fetch (source, at, rank, speaks_for, stale_after_seconds)
select source, last_good_at, rank, speaks_for, stale_after_seconds
from source where kind = 'prices' and last_good_at is not null;
insert into unsaid_line (line_id)
select line_id from price_line
where current_hash is not null and removed_at is null
  and (held_hash is not null or missing_since is not null or decided_price is not null);
insert into row_confirmation (content_hash, since, line_id, provider, source, said, superseded, agree, disagree, by_provider,
  independent, independent_of_own, basis)
select p.content_hash, '-infinity', p.line_id, p.provider, p.source, false, c.superseded, '',
       case when c.superseded then '' else '{"source":' || to_json(p.source) || '}' end, false, false, false, 0
from publication p join price_line l using (line_id)
cross join lateral (select l.removed_at is not null or l.current_hash is distinct from p.content_hash as superseded) c
where p.unpublished_at is null
  and (c.superseded or exists (select from unsaid_line u where u.line_id = p.line_id));

-- What the last good fetch of each source at or before an instant says of rows of which nothing else is to be said. A source
-- that was not read lately confirms nothing any more. A source that speaks for some providers is a list for all others.
create function confirming_sources(
  as_of timestamptz, out source text, out at timestamptz, out rank smallint, out speaks_for text[], out fresh boolean,
  out confirmed_at text, out by_own_word text, out by_list text
) returns setof record language sql stable as $$
  select s.source, f.at, f.rank, f.speaks_for, r.fresh, ',"confirmedAt":"' || instant_text(f.at) || '"',
    ',"confirmedBy":{"agree":[' || case when r.fresh then own_word else '' end,
    ',"confirmedBy":{"agree":[' || case when r.fresh then list else '' end
  from source s
  cross join lateral (
    select * from good_fetch f where f.source = s.source and f.at <= as_of order by f.at desc limit 1
  ) f
  cross join lateral (
    select f.at > as_of - make_interval(secs => f.stale_after_seconds) as fresh,
      '{"source":' || to_json(s.source) || ',"rank":"' || (array['provider', 'verified', 'community'])[f.rank + 1] || '"}' as own_word,
      '{"source":' || to_json(s.source) || ',"rank":"'
        || case when f.speaks_for is null then (array['provider', 'verified', 'community'])[f.rank + 1] else 'community' end
        || '"}' as list
  ) r
$$;

-- One page of price history as history_page reads it. `with_confirmation` adds who confirmed each row as of the instant;
-- `confirmed_by` keeps the rows that were confirmed by their provider (provider), or by two sources of different origin
-- (independent). A filter that is null narrows nothing. `member_resources` are exact names of
-- `member_providers`, pair by pair. `current_only`: of each price line the newest row alone.
--
-- Each slice is an index range already in that order, so the database merges them and stops at the page's last row: a
-- page costs the rows it shows, whatever the number of slices. It is a function because the planner, left alone, prefers
-- to fetch whole slices and sort them (measured with 40 slices on a million rows: seconds for milliseconds).
-- The renamings in force become one map that only rows under a renamed name are looked up in: joined to every row of
-- the page, they doubled its time.
create function history_rows(
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
