-- Where an API key may be used from: networks in CIDR notation, IPv4 and IPv6. Empty: everywhere.
alter table api_key add column networks text[] not null default '{}' check (cardinality(networks) <= 50);

-- What operators allow a workspace at most. Null: what the specification allows, and any number of members.
alter table workspace
  add column max_webhooks integer check (max_webhooks between 0 and 20),
  add column max_api_keys integer check (max_api_keys between 0 and 20),
  add column max_members integer check (max_members between 1 and 10000),
  add column requests_per_minute integer check (requests_per_minute between 1 and 600);
