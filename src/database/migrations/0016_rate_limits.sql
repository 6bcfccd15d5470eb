-- A bucket is full at the latest once an empty one would have filled. Without that cap, a clock that steps back makes
-- every bucket look empty for as long as it stepped back. A refusal writes the cap down, so that the bucket refills.
create or replace function take_tokens(keys text[], rates double precision[], bursts integer[])
returns double precision language plpgsql as $$
declare
  locked integer;
  moment timestamptz;
  wait interval;
begin
  loop
    perform from rate_bucket where key = any (keys) order by key for update;
    get diagnostics locked = row_count;
    exit when locked = cardinality(keys);
    insert into rate_bucket (key, full_at) select k, '-infinity' from unnest(keys) k order by k on conflict do nothing;
  end loop;
  moment := clock_timestamp();
  select max(least(greatest(b.full_at, moment), moment + w.burst * make_interval(secs => 1 / w.rate)) - moment
             - (w.burst - 1) * make_interval(secs => 1 / w.rate)) into wait
  from unnest(keys, rates, bursts) as w (key, rate, burst) join rate_bucket b using (key);
  if wait > interval '0' then
    update rate_bucket b set full_at = moment + w.burst * make_interval(secs => 1 / w.rate)
    from unnest(keys, rates, bursts) as w (key, rate, burst)
    where b.key = w.key and b.full_at > moment + w.burst * make_interval(secs => 1 / w.rate);
    return extract(epoch from wait);
  end if;
  update rate_bucket b set full_at = greatest(b.full_at, moment) + make_interval(secs => 1 / w.rate)
  from unnest(keys, rates, bursts) as w (key, rate, burst) where b.key = w.key;
  return 0;
end $$;
