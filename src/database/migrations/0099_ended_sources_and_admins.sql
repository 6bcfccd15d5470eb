-- The keys of cursors before the one in cursor_key. A cursor does not expire, so they are kept: each still opens the
-- cursors that were sealed with it.
create table earlier_cursor_key (
  key bytea primary key,
  replaced_at timestamptz(3) not null default clock_timestamp()
);

-- A source that is no longer declared ends after a while: undeclared_at is when that was noticed, ended_at when its price
-- lines were removed. Both are null again once it is declared again.
alter table source
  add column undeclared_at timestamptz(3),
  add column ended_at timestamptz(3);

-- A provider with documents alone is active from its first text in force on. Those that have one by now became available
-- before that was recorded: like providers older than the directory they have no activated_at, and no event.
insert into provider_status (provider, at, status)
select p.provider, greatest(date_trunc('milliseconds', clock_timestamp()), c.last_stamp + interval '1 ms'), 'active'
from provider p
cross join publication_clock c
cross join lateral (select s.status from provider_status s where s.provider = p.provider order by s.at desc limit 1) now
where now.status = 'pending'
  and exists (select from document d join document_version v using (source)
              where d.provider = p.provider and v.recorded_at is not null)
on conflict (provider, at) do update set status = excluded.status;

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

-- Browsers from which an account was signed in to: wrong passwords of strangers do not hold them up. The token is in the
-- browser's cookie alone; here is its SHA-256. One browser may be known to several accounts.
create table known_browser (
  token_hash bytea not null,
  account_id uuid not null references account on delete cascade,
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3) not null,
  primary key (token_hash, account_id)
);
create index known_browser_by_account on known_browser (account_id, last_used_at);
create index known_browser_by_use on known_browser (last_used_at);
