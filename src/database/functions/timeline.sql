-- Whether this database has everything that was published up to an instant, in the snapshot of the calling statement: it
-- is closed there, as a replica has it too once it has replayed that much, and the history is that of `of_timeline`.
create or replace function has_history_until(as_of timestamptz, of_timeline uuid) returns boolean language sql stable as $$
  select last_stamp >= as_of and (of_timeline is null or of_timeline = (
    select timeline_id from history_timeline order by timeline desc limit 1))
  from publication_clock
$$;

-- Whether an instant may have been answered from history that is lost.
create or replace function was_lost(instant timestamptz) returns boolean language sql stable as $$
  select exists (select from history_timeline where instant > lost_after and instant <= lost_until)
$$;

-- Revisions of alias groups and the version of their catalogue must never repeat: clients keep what they read until one
-- differs. Changes that a restore has lost had numbers too, so after one the numbers go on from the second in which the
-- timeline began, counted from 2026: far above every number before it.
create or replace function revision_floor() returns integer language sql stable as $$
  select coalesce((
    select extract(epoch from started_at - timestamptz '2026-01-01T00:00:00Z')::integer
    from history_timeline where timeline > (select min(timeline) from history_timeline) order by timeline desc limit 1), 0)
$$;
