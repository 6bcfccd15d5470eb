-- Who did what: accounts, workspaces and keys as before, and what the app's other buttons do. Append-only. No foreign
-- keys: it outlives what it is about.
alter table account_action rename to audit_entry;
alter table audit_entry rename column action_id to entry_id;
alter table audit_entry add column email text;
alter table audit_entry add column address text;
alter table audit_entry add column subject text;
create index audit_entry_by_workspace on audit_entry (workspace_id, entry_id);
create index audit_entry_by_account on audit_entry (account_id, entry_id);
drop index account_action_by_workspace;

create function refuse_change_of_audit() returns trigger language plpgsql as $$
begin
  raise exception 'the audit log is append-only';
end $$;
create trigger audit_entry_append_only before update or delete on audit_entry
  for each row execute function refuse_change_of_audit();
