-- Writes down, of the periods of these lines, since when a newer row of the line is served, and from when on none is for the
-- first time. Of two rows the one that was recorded later is newer. `since`: no period began or ended before it, so what
-- was settled before it stands. `ended`: periods ended, so that superseded rows may be current again.
create or replace function settle_superseded(lines bigint[], since timestamptz, ended boolean) returns void language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
begin
  update publication p set superseded_at = wanted.superseded_at, current_again_at = wanted.current_again_at
  from unnest(lines) as line (line_id)
  cross join lateral (
    select o.content_hash, o.published_at, newer.superseded_at,
      (select min(n.unpublished_at) from publication n
       where n.line_id = o.line_id and (n.recorded_at, n.content_hash) > (o.recorded_at, o.content_hash)
         and n.unpublished_at > newer.superseded_at
         and (o.unpublished_at is null or n.unpublished_at < o.unpublished_at)
         and not exists (
           select from publication m
           where m.line_id = o.line_id and (m.recorded_at, m.content_hash) > (o.recorded_at, o.content_hash)
             and m.published_at <= n.unpublished_at
             and (m.unpublished_at is null or m.unpublished_at > n.unpublished_at))) as current_again_at
    from publication o
    cross join lateral (
      select min(greatest(n.published_at, o.published_at)) as superseded_at from publication n
      where n.line_id = o.line_id and (n.recorded_at, n.content_hash) > (o.recorded_at, o.content_hash)
        and (n.unpublished_at is null or n.unpublished_at > o.published_at)
        and (o.unpublished_at is null or n.published_at < o.unpublished_at)) newer
    where o.line_id = line.line_id and (o.unpublished_at is null or o.unpublished_at > since)
      and (o.superseded_at is null or o.superseded_at > since or coalesce(o.current_again_at >= since, ended))
    offset 0
  ) wanted
  where p.content_hash = wanted.content_hash and p.published_at = wanted.published_at
    and (p.superseded_at, p.current_again_at) is distinct from (wanted.superseded_at, wanted.current_again_at);
end $$;

-- The trigger of publication: settles the lines whose periods were opened or ended, whatever did that. Joins that read the
-- whole table are off: the plan of a first load would be kept for a publication of one row.
create or replace function note_superseded() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  moment timestamptz;
  lines bigint[];
begin
  select case tg_op when 'INSERT' then min(published_at) else min(unpublished_at) end into moment from changed;
  -- Most lines of a first load have one row, and nothing to settle.
  lines := array(
    select distinct c.line_id from changed c
    where exists (select from publication o where o.line_id = c.line_id and o.content_hash <> c.content_hash));
  if cardinality(lines) > 0 then
    perform settle_superseded(lines, moment, tg_op = 'UPDATE');
  end if;
  return null;
end $$;
