-- A decision asks for the snapshot at hand to be read again, also while it is being read: what the next ingestion of the
-- source ends is a mark of its own. Until now it was the parser version, which the end of a running collection sets.
alter table source add column read_again boolean not null default false;
