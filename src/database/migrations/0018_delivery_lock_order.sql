-- When a delivery reached its end: succeeded, failed, or not sent.
alter table delivery rename column settled_at to finished_at;

alter table delivery
  -- When it was last resent: the 30 days of the log start again.
  add column resent_at timestamptz(3),
  -- Set for deliveries whose workflow was started as `delivery/<delivery id>`. Workflows are now called
  -- `delivery/<event type>/<delivery id>`, and a delivery must never have two.
  add column workflow_id text;
update delivery set workflow_id = 'delivery/' || delivery_id where started_cycle > 0;

-- A notice outlives its delivery, so it carries what its workflow is called by.
alter table delivery_notice add column event_type text, add column workflow_id text;
update delivery_notice set workflow_id = 'delivery/' || delivery_id;

-- POSTs of one attempt before the one that the attempt reports: [{"startedAt", "error", "durationMs"}].
alter table attempt add column earlier_posts jsonb;
