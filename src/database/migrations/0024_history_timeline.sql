-- The timelines of the history. A restore from a backup begins a new one: what was published between the backup and the
-- loss (from lost_after, through lost_until) may have been answered and is not known any more. `fingerprint` names the
-- database that the timeline was recorded in; null until something is published or read.
create table history_timeline (
  timeline integer generated always as identity primary key,
  timeline_id uuid not null unique default uuidv7(),
  started_at timestamptz(3) not null default clock_timestamp(),
  reason text not null,
  fingerprint text,
  lost_after timestamptz(3),
  lost_until timestamptz(3),
  check ((lost_after is null) = (lost_until is null))
);
insert into history_timeline (reason) values ('installed');

-- Names this database among all: another cluster, another branch of the write-ahead log (point-in-time recovery, or a
-- promoted standby), another database or another table has another fingerprint. Where a service
-- hides one of these functions, that part is left out and the others still identify it.
create function history_fingerprint() returns text language plpgsql stable as $$
declare
  cluster text := '-';
  branch text := '-';
begin
  begin
    cluster := (select system_identifier::text from pg_control_system());
  exception when others then null;
  end;
  begin
    branch := substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8);
  exception when others then null;
  end;
  return concat_ws('/', cluster, branch, (select oid from pg_database where datname = current_database()),
    'history_timeline'::regclass::oid);
end $$;

-- Whether an instant may have been answered from history that is lost.
create function was_lost(instant timestamptz) returns boolean language sql stable
return exists (select from history_timeline where instant > lost_after and instant <= lost_until);
