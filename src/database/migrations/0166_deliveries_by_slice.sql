-- What is due in one shard of a round: a shard is some of 256 slices of all workspaces, by a hash of their ids. In this
-- order a look jumps from webhook to webhook.
create index delivery_by_slice on delivery ((uuid_hash(workspace_id) & 255), webhook_id, due_at, delivery_id)
  where status = 'pending' and claimed_at is null;
