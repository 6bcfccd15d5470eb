-- Mails to people that the mail server did not take, until it does or their link has expired. Their text holds a link,
-- so it is sealed with the key of webhook secrets.
create table account_mail (
  mail_id uuid primary key default uuidv7(),
  to_address text not null,
  subject text not null,
  sealed bytea not null,
  expires_at timestamptz(3) not null,
  next_try_at timestamptz(3) not null,
  -- A newer mail of its kind replaces it: the link in it is void.
  unique (to_address, subject)
);
create index account_mail_by_try on account_mail (next_try_at);
