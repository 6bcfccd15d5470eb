-- Readiness gives this table a new file and rolls back. PostgreSQL may not start again when it is killed right after a
-- transaction that gave an unlogged table a new file is rolled back.
alter table write_probe set logged;

-- A decision asks for the snapshot at hand to be read again, also while it is being read: what the next ingestion of the
-- source ends is a mark of its own. Until now it was the parser version, which the end of a running collection sets.
alter table source add column read_again boolean not null default false;

-- The daily run deletes versions of webhooks that ended before any event it could still meet.
create index webhook_version_ended on webhook_version (valid_to) where valid_to is not null;

-- An invitation counts toward the 20 of any 24 hours, and can be accepted, also when the account that sent it is deleted.
alter table invitation
  alter column invited_by drop not null,
  drop constraint invitation_invited_by_fkey,
  add constraint invitation_invited_by_fkey foreign key (invited_by) references account on delete set null;
