-- How far an event was matched where there are many webhooks: with all up to this one. Null before the first, and where one
-- statement meets them all.
alter table event add column matched_to uuid;
