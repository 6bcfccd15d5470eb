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

-- Admits the waiting requests of several API keys at once: `wanted` of each key that fit into all of its buckets, or as many
-- as do. A key that does not exist or has expired takes from the bucket of its client address. Beside them up to `extra`
-- tokens are leased to the calling process, which may use them for `lease_seconds`.
--
-- In no span of time may more be used than its rate and the burst allow. So a leased token counts as used when the lease
-- ends: until then the bucket refills no further than to the burst without it. Of the slowest bucket no burst is given up
-- for that: it leases only what it owes already.
--
-- `back_…` are tokens of ended leases that were not used. They return where nothing was taken from the bucket since, as
-- its `full_at` shows: otherwise others may rely on them being away.
--
-- Rows are locked in the order of draw_tokens. `wait` is until the next token; `full_in` as there.
create or replace function lease_tokens(
  hashes text[], addresses text[], kinds text[], wanted integer[], extra integer[],
  limit_kinds text[], rates double precision[], bursts integer[], lease_seconds double precision,
  back_keys text[], back_tokens integer[], back_full_at text[],
  out key_id uuid, out workspace_id uuid, out last_used_at timestamptz, out now timestamptz, out valid_for double precision,
  out granted integer, out wait double precision, out full_in double precision[], out bucket_keys text[], out full_at text[]
) returns setof record language plpgsql as $$
#variable_conflict use_column
declare
  rounding constant double precision := 1e-6;
  locked integer;
  moment timestamptz;
  ids uuid[];
  spaces uuid[];
  seen timestamptz[];
  ends timestamptz[];
  -- The buckets that are asked, each once and in order, and in how many seconds each is full.
  names text[];
  owed double precision[];
  -- The buckets of each request, one after the other.
  of_request integer[];
  place integer[];
  rate double precision[];
  burst integer[];
  begins integer;
  ends_at integer := 0;
  fit integer;
  leased integer;
  slowest integer;
begin
  select array_agg(k.key_id order by u.n), array_agg(k.workspace_id order by u.n), array_agg(k.last_used_at order by u.n),
    array_agg(k.expires_at order by u.n)
  into ids, spaces, seen, ends
  from unnest(hashes) with ordinality as u (hash, n)
  left join api_key k on k.hash = decode(u.hash, 'hex') and (k.expires_at is null or k.expires_at > clock_timestamp());

  with bucket as (
    select u.n, b.position, l.rate, l.burst,
      b.kind || ':' || case b.kind when 'address' then u.address when 'workspace' then spaces[u.n]::text else ids[u.n]::text end as name
    from unnest(addresses, kinds) with ordinality as u (address, kinds, n)
    cross join lateral unnest(case when ids[u.n] is null then array['address'] else string_to_array(u.kinds, ',') end)
      with ordinality as b (kind, position)
    join unnest(limit_kinds, rates, bursts) as l (kind, rate, burst) using (kind)
  ), named as (
    select array_agg(distinct name order by name) as names from bucket
  )
  select named.names, array_agg(b.n order by b.n, b.position), array_agg(b.rate order by b.n, b.position),
    array_agg(b.burst order by b.n, b.position),
    array_agg(array_position(named.names, b.name) order by b.n, b.position)
  into names, of_request, rate, burst, place
  from bucket b cross join named group by named.names;

  loop
    perform from rate_bucket where key = any (names) order by key for update;
    get diagnostics locked = row_count;
    exit when locked = cardinality(names);
    insert into rate_bucket (key, full_at) select k, '-infinity' from unnest(names) k order by k on conflict do nothing;
  end loop;
  -- A key that was deleted before its rows were locked leases nothing: who deletes it waits for those it sees.
  if 0 < any (extra) then
    select array_agg(case when exists (select from api_key k where k.key_id = e.key) then e.extra else 0 end order by e.n)
    into extra from unnest(ids, extra) with ordinality as e (key, extra, n);
  end if;
  if cardinality(back_keys) > 0 then
    perform return_tokens(back_keys, back_tokens, back_full_at, limit_kinds, rates);
  end if;
  moment := clock_timestamp();
  select array_agg(extract(epoch from greatest(b.full_at, moment) - moment)::double precision order by w.n) into owed
  from unnest(names) with ordinality as w (name, n) join rate_bucket b on b.key = w.name;

  granted := null;
  for n in 1..cardinality(hashes) loop
    begins := ends_at + 1;
    fit := wanted[n];
    leased := wanted[n] + extra[n];
    slowest := begins;
    while ends_at < cardinality(of_request) and of_request[ends_at + 1] = n loop
      ends_at := ends_at + 1;
      -- No bucket is emptier than empty: a clock that stepped back makes every bucket look so.
      owed[place[ends_at]] := least(owed[place[ends_at]], burst[ends_at] / rate[ends_at]);
      fit := least(fit, floor(burst[ends_at] - owed[place[ends_at]] * rate[ends_at] + rounding)::integer);
      leased := least(leased,
        floor(burst[ends_at] - greatest(owed[place[ends_at]], lease_seconds) * rate[ends_at] + rounding)::integer);
      if rate[ends_at] < rate[slowest] then
        slowest := ends_at;
      end if;
    end loop;
    if fit < wanted[n] or owed[place[slowest]] < lease_seconds or leased <= wanted[n] then
      leased := 0;
    end if;
    fit := greatest(fit, leased, 0);
    if fit > 0 then
      for i in begins..ends_at loop
        owed[place[i]] := case when leased > 0 then greatest(owed[place[i]], lease_seconds) else owed[place[i]] end + fit / rate[i];
      end loop;
    end if;
    wanted[n] := fit;
  end loop;

  update rate_bucket b set full_at = moment + make_interval(secs => w.owed)
  from unnest(names, owed) as w (name, owed)
  where b.key = w.name and (w.owed > 0 or b.full_at > moment);

  ends_at := 0;
  for n in 1..cardinality(hashes) loop
    key_id := ids[n];
    workspace_id := spaces[n];
    last_used_at := seen[n];
    now := moment::timestamptz(3);
    valid_for := extract(epoch from ends[n] - moment);
    granted := wanted[n];
    wait := 0;
    full_in := '{}';
    bucket_keys := '{}';
    full_at := '{}';
    while ends_at < cardinality(of_request) and of_request[ends_at + 1] = n loop
      ends_at := ends_at + 1;
      wait := greatest(wait, owed[place[ends_at]] - (burst[ends_at] - 1) / rate[ends_at]);
      full_in := full_in || owed[place[ends_at]];
      bucket_keys := bucket_keys || names[place[ends_at]];
      full_at := full_at || (moment + make_interval(secs => owed[place[ends_at]]))::text;
    end loop;
    return next;
  end loop;
end $$;

-- Returns leased tokens that were not used to the buckets from which nothing was taken since the lease.
create or replace function return_tokens(
  keys text[], tokens integer[], stamps text[], limit_kinds text[], rates double precision[]
) returns void language sql as $$
  update rate_bucket b set full_at = b.full_at - w.tokens * make_interval(secs => 1 / l.rate)
  from unnest(keys, tokens, stamps) as w (key, tokens, stamp)
  join unnest(limit_kinds, rates) as l (kind, rate) on l.kind = split_part(w.key, ':', 1)
  where b.key = w.key and b.full_at = w.stamp::timestamptz
$$;
