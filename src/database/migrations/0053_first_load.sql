set local statement_timeout = 0;

-- A row is served in one period at a time. One index says so, and finds the periods of a row: two did, and every row of
-- a first load was written to both.
create unique index publication_periods on publication (content_hash, unpublished_at) nulls not distinct;
alter table publication drop constraint publication_pkey;
drop index publication_open;

-- Whoever records rows locks their snapshot once, which retention skips: a check for each row costs a first load a
-- query for each row.
alter table price_row drop constraint price_row_snapshot_hash_fkey;
