create table workspace (
  workspace_id uuid primary key default uuidv7(),
  name text not null check (char_length(name) between 1 and 80),
  created_at timestamptz(3) not null
);

create table api_key (
  key_id uuid primary key default uuidv7(),
  workspace_id uuid not null references workspace on delete cascade,
  name text not null check (char_length(name) between 1 and 80),
  -- SHA-256 of the whole key: the key itself is shown once and never stored.
  hash bytea not null unique,
  last_characters text not null,
  created_by text,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3)
);
create index api_key_by_workspace on api_key (workspace_id);

-- Token buckets (GCRA): `full_at` is when the bucket will be full again. Losing them on a crash costs nothing.
create unlogged table rate_bucket (
  key text primary key,
  full_at timestamptz not null
);

-- Takes one token from every bucket named, or from none of them. Answers the seconds until the fullest moment at which
-- all would have had one: 0 means taken. `keys` are in order, so that two requests never wait for each other.
-- A function, because only a statement begun after the rows are locked sees what the others took.
create function take_tokens(keys text[], rates double precision[], bursts integer[]) returns double precision
language plpgsql as $$
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
  select max(greatest(b.full_at, moment) - moment - (w.burst - 1) * make_interval(secs => 1 / w.rate)) into wait
  from unnest(keys, rates, bursts) as w (key, rate, burst) join rate_bucket b using (key);
  if wait > interval '0' then
    return extract(epoch from wait);
  end if;
  update rate_bucket b set full_at = greatest(b.full_at, moment) + make_interval(secs => 1 / w.rate)
  from unnest(keys, rates, bursts) as w (key, rate, burst) where b.key = w.key;
  return 0;
end $$;
