-- The trigger of account: someone who is disabled may be an admin of several workspaces.
create or replace function check_admins_of_account() returns trigger language plpgsql as $$
begin
  perform check_workspace_admin(workspace_id) from workspace_member
  where account_id = new.account_id order by workspace_id;
  return null;
end $$;
