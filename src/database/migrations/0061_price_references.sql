-- Lines, rows and statuses are written together, by one function, in one transaction, and sources and providers are never
-- deleted. Checking these references took a third of the time of a first load of a million lines.
alter table price_line drop constraint price_line_source_fkey, drop constraint price_line_provider_fkey;
alter table price_status drop constraint price_status_content_hash_fkey;
