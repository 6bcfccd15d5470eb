-- Names this database among all: another cluster, another branch of the write-ahead log (point-in-time recovery, or a
-- promoted standby), another database or another table has another fingerprint. Where a service
-- hides one of these functions, that part is left out and the others still identify it.
create or replace function history_fingerprint() returns text language plpgsql stable as $$
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
