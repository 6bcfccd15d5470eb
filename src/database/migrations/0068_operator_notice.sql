-- Through which channels operators were notified of a review item that waits too long: the log, their webhook, or an
-- address of theirs. An item is one of prices or of documents; what no longer waits is deleted.
create table operator_notice (
  item_id uuid not null,
  channel text not null,
  notified_at timestamptz(3) not null,
  primary key (item_id, channel)
);

insert into operator_notice (item_id, channel, notified_at)
select review_id, channel, notified_at from review, unnest(array['log', 'webhook']) as channel
where notified_at is not null and decided_at is null;

alter table review drop column notified_at;
