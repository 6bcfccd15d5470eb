-- Returns leased tokens that were not used to the buckets from which nothing was taken since the lease.
create or replace function return_tokens(
  keys text[], tokens integer[], stamps text[], limit_kinds text[], rates double precision[]
) returns void language sql as $$
  update rate_bucket b set full_at = b.full_at - w.tokens * make_interval(secs => 1 / l.rate)
  from unnest(keys, tokens, stamps) as w (key, tokens, stamp)
  join unnest(limit_kinds, rates) as l (kind, rate) on l.kind = split_part(w.key, ':', 1)
  where b.key = w.key and b.full_at = w.stamp::timestamptz
$$;
