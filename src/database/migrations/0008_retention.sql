-- What retention asks before it deletes a snapshot, and what the foreign keys ask again.
create index price_row_by_snapshot on price_row (snapshot_hash);
create index document_version_by_snapshot on document_version (snapshot_hash);
create index source_fetch_by_snapshot on source_fetch (snapshot_hash) where snapshot_hash is not null;
create index source_fetch_age on source_fetch (at) where outcome <> 'changed';
create index snapshot_age on snapshot (created_at);
create index event_age on event (eligible_at);
