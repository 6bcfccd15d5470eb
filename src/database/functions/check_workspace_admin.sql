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
