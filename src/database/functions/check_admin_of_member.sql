-- The trigger of workspace_member.
create or replace function check_admin_of_member() returns trigger language plpgsql as $$
begin
  perform check_workspace_admin(coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;
