-- Where an API key may be used from: networks in CIDR notation, IPv4 and IPv6. Empty: everywhere.
alter table api_key add column networks text[] not null default '{}' check (cardinality(networks) <= 50);
