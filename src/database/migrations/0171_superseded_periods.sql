-- Since when, within its period, a row is not the newest of its line that is served, and from when on it may be again,
-- because a newer one was withdrawn. In between it is not current; from then on it is looked up. Both follow from the
-- periods of the line. They are kept so that an index alone says which rows are current.
alter table publication
  add column superseded_at timestamptz(3) check (superseded_at >= published_at),
  add column current_again_at timestamptz(3) check (current_again_at > superseded_at);

create trigger publication_added after insert on publication
  referencing new table as changed for each statement execute function note_superseded();
create trigger publication_ended after update on publication
  referencing new table as changed for each statement when (pg_trigger_depth() = 0) execute function note_superseded();
