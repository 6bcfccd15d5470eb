-- The last line behind the use cases. Deferred: a change that takes an admin away may name another one.
create constraint trigger workspace_member_keeps_admin after insert or update or delete on workspace_member
  deferrable initially deferred for each row execute function check_admin_of_member();
create constraint trigger account_keeps_admins after update of disabled_at on account
  deferrable initially deferred for each row execute function check_admins_of_account();

-- Invitations count toward the limits of a person and an address also when their workspace or the account is deleted.
alter table invitation
  alter column workspace_id drop not null,
  drop constraint invitation_workspace_id_fkey,
  add constraint invitation_workspace_id_fkey foreign key (workspace_id) references workspace on delete set null,
  add column inviter_email_key text;
update invitation i set inviter_email_key = a.email_key from account a where a.account_id = i.invited_by;
create index invitation_by_inviter on invitation (inviter_email_key, created_at);
create index invitation_by_recipient on invitation (email_key, created_at);

-- An invitation ends with its sender's right to invite. 0091 let it outlive that.
update invitation i set withdrawn_at = clock_timestamp()
where withdrawn_at is null and accepted_at is null
  and not exists (select from workspace_member m join account a using (account_id)
                  where m.workspace_id = i.workspace_id and m.account_id = i.invited_by and m.role = 'admin'
                    and a.disabled_at is null);
