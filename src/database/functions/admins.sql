-- A workspace in which a member can act has an admin who can act. Use cases check it under the workspace's lock; this is
-- the last line. Deferred: a change that takes an admin away may name another one.
create or replace function check_workspace_admin(checked uuid) returns void language plpgsql as $$
begin
  -- No row lock: whoever added a member holds a weaker one, and two of them would wait for each other.
  perform pg_advisory_xact_lock(hashtextextended('admins of ' || checked, 0));
  if exists (select from workspace_member m join account a using (account_id)
             where m.workspace_id = checked and a.disabled_at is null)
    and not exists (select from workspace_member m join account a using (account_id)
                    where m.workspace_id = checked and a.disabled_at is null and m.role = 'admin')
  then
    raise exception 'workspace % has no admin who can act', checked using errcode = 'check_violation';
  end if;
end $$;

-- The trigger of workspace_member.
create or replace function check_admin_of_member() returns trigger language plpgsql as $$
begin
  perform check_workspace_admin(coalesce(new.workspace_id, old.workspace_id));
  return null;
end $$;

-- The trigger of account: someone who is disabled may be an admin of several workspaces.
create or replace function check_admins_of_account() returns trigger language plpgsql as $$
begin
  perform check_workspace_admin(workspace_id) from workspace_member
  where account_id = new.account_id order by workspace_id;
  return null;
end $$;
