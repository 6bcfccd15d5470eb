-- What operators allow a workspace at most. Null: what the specification allows, and any number of members.
alter table workspace
  add column max_webhooks integer check (max_webhooks between 0 and 20),
  add column max_api_keys integer check (max_api_keys between 0 and 20),
  add column max_members integer check (max_members between 1 and 10000),
  add column requests_per_minute integer check (requests_per_minute between 1 and 600);
