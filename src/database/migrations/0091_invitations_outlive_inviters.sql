-- An invitation counts toward the 20 of any 24 hours, and can be accepted, also when the account that sent it is deleted.
alter table invitation
  alter column invited_by drop not null,
  drop constraint invitation_invited_by_fkey,
  add constraint invitation_invited_by_fkey foreign key (invited_by) references account on delete set null;
