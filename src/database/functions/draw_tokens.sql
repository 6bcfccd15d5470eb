-- Takes one token from every bucket named, or from none of them. Returns the seconds until the fullest moment at which
-- all would have had one (0 means taken), and in how many seconds each bucket will be full: what is left in it, for the
-- answer's headers. `keys` are in order, so that two requests never wait for each other. A function, because only a
-- statement begun after the rows are locked sees what the others took.
--
-- A bucket is full at the latest once an empty one would have filled. Without that cap, a clock that steps back makes
-- every bucket look empty for as long as it stepped back. A refusal writes the cap down, so that the bucket refills.
create or replace function draw_tokens(
  keys text[], rates double precision[], bursts integer[], out wait double precision, out full_in double precision[]
) language plpgsql as $$
declare
  locked integer;
  moment timestamptz;
begin
  loop
    perform from rate_bucket where key = any (keys) order by key for update;
    get diagnostics locked = row_count;
    exit when locked = cardinality(keys);
    insert into rate_bucket (key, full_at) select k, '-infinity' from unnest(keys) k order by k on conflict do nothing;
  end loop;
  moment := clock_timestamp();
  select extract(epoch from max(least(greatest(b.full_at, moment), moment + w.burst * make_interval(secs => 1 / w.rate))
             - moment - (w.burst - 1) * make_interval(secs => 1 / w.rate))) into wait
  from unnest(keys, rates, bursts) as w (key, rate, burst) join rate_bucket b using (key);
  if wait > 0 then
    update rate_bucket b set full_at = moment + w.burst * make_interval(secs => 1 / w.rate)
    from unnest(keys, rates, bursts) as w (key, rate, burst)
    where b.key = w.key and b.full_at > moment + w.burst * make_interval(secs => 1 / w.rate);
  else
    wait := 0;
    update rate_bucket b set full_at = greatest(b.full_at, moment) + make_interval(secs => 1 / w.rate)
    from unnest(keys, rates, bursts) as w (key, rate, burst) where b.key = w.key;
  end if;
  select array_agg(extract(epoch from greatest(b.full_at, moment) - moment)::double precision order by w.position)
  into full_in
  from unnest(keys) with ordinality as w (key, position) join rate_bucket b using (key);
end $$;
