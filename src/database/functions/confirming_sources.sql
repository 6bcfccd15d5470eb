-- What the last good fetch of each source at or before an instant says of rows of which nothing else is to be said. A source
-- that was not read lately confirms nothing any more. A source that speaks for some providers is a list for all others.
create or replace function confirming_sources(
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
