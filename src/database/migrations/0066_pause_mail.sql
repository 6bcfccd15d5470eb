-- Mails about webhooks that failures have paused: one for each admin, until it was sent. Whoever sends one claims it.
create table pause_mail (
  webhook_id uuid not null references webhook on delete cascade,
  paused_at timestamptz(3) not null,
  account_id uuid not null,
  claimed_until timestamptz(3),
  primary key (webhook_id, paused_at, account_id)
);
