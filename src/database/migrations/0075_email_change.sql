-- The link that gives an account another address is of the account, and goes to the new address.
alter table account_link drop constraint account_link_kind_check;
alter table account_link add constraint account_link_kind_check
  check (kind in ('first_account', 'sign_up', 'verify_email', 'reset_password', 'change_email'));
alter table account_link add column account_id uuid references account on delete cascade;
