-- When a resource was last listed again, or got another canonical id: the catalog changed then.
alter table resource add column changed_at timestamptz(3);
