-- The daily run deletes versions of webhooks that ended before any event it could still meet.
create index webhook_version_ended on webhook_version (valid_to) where valid_to is not null;
