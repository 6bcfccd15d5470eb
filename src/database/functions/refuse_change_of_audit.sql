-- The trigger of audit_entry.
create or replace function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
