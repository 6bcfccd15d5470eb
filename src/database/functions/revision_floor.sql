-- Revisions of alias groups and the version of their catalogue must never repeat: clients keep what they read until one
-- differs. Changes that a restore has lost had numbers too, so after one the numbers go on from the second in which the
-- timeline began, counted from 2026: far above every number before it.
create or replace function revision_floor() returns integer language sql stable as $$
  select coalesce((
    select extract(epoch from started_at - timestamptz '2026-01-01T00:00:00Z')::integer
    from history_timeline where timeline > (select min(timeline) from history_timeline) order by timeline desc limit 1), 0)
$$;
