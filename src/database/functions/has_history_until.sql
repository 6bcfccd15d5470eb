-- Whether this database has everything that was published up to an instant, in the snapshot of the calling statement: it
-- is closed there, as a replica has it too once it has replayed that much, and the history is that of `of_timeline`.
create or replace function has_history_until(as_of timestamptz, of_timeline uuid) returns boolean language sql stable as $$
  select last_stamp >= as_of and (of_timeline is null or of_timeline = (
    select timeline_id from history_timeline order by timeline desc limit 1))
  from publication_clock
$$;
