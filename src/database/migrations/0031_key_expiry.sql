alter table api_key add column expires_at timestamptz(3);

-- A workspace with webhooks is not deleted: their workflows and deliveries would end unseen.
alter table webhook drop constraint webhook_workspace_id_fkey;
alter table webhook add constraint webhook_workspace_id_fkey foreign key (workspace_id) references workspace;
