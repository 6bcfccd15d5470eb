-- The trigger of publication: settles the lines whose periods were opened or ended, whatever did that. Joins that read the
-- whole table are off: the plan of a first load would be kept for a publication of one row.
create or replace function note_superseded() returns trigger language plpgsql
set enable_hashjoin = off set enable_mergejoin = off set enable_seqscan = off
as $$
declare
  moment timestamptz;
  lines bigint[];
begin
  select case tg_op when 'INSERT' then min(published_at) else min(unpublished_at) end into moment from changed;
  -- Most lines of a first load have one row, and nothing to settle.
  lines := array(
    select distinct c.line_id from changed c
    where exists (select from publication o where o.line_id = c.line_id and o.content_hash <> c.content_hash));
  if cardinality(lines) > 0 then
    perform settle_superseded(lines, moment, tg_op = 'UPDATE');
  end if;
  return null;
end $$;
