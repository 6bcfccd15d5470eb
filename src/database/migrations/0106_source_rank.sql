-- Whose word a source is: 0 the provider's own, 1 verified at the provider's, 2 a list that people keep. Of sources that
-- list the same resource the lowest rank decides; of equal ones the first in the declaration.
alter table source
  add column rank smallint not null default 2 check (rank between 0 and 2),
  add column speaks_for text[],
  add column position integer,
  add column stale_after_seconds integer not null default 604800;
