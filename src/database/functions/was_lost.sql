-- Whether an instant may have been answered from history that is lost.
create or replace function was_lost(instant timestamptz) returns boolean language sql stable as $$
  select exists (select from history_timeline where instant > lost_after and instant <= lost_until)
$$;
