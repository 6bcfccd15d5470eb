-- What is due longest, of all webhooks: whether deliveries are late is asked every second, whatever waits.
create index delivery_by_due on delivery (due_at) where status = 'pending' and claimed_at is null;

-- Whose word a source is: 0 the provider's own, 1 verified at the provider's, 2 a list that people keep. Of sources that
-- list the same resource the lowest rank decides; of equal ones the first in the declaration.
alter table source
  add column rank smallint not null default 2 check (rank between 0 and 2),
  add column speaks_for text[],
  add column position integer,
  add column stale_after_seconds integer not null default 604800;

-- Why a person had to confirm a removal when the line was first missing: how many went with it decides, not how many
-- resources its provider gained since.
alter table price_line add column missing_reason text;
update price_line l set missing_reason = v.reasons[1]
from review v
where v.kind = 'removal' and v.decided_at is null and (v.source, v.provider) = (l.source, l.provider)
  and v.detail->'resources' ? l.resource and l.missing_since is not null and l.removed_at is null;

-- A complete source says what its providers sell: what it does not list, they do not sell. complete_from is when it was
-- first read as one; until then it decides about what it lists alone.
alter table source
  add column complete boolean not null default false,
  add column complete_from timestamptz(3);

-- Lines whose price other sources contradict: a better source, or two that agree. `price` is what the line's source shows.
-- Where `decided_by` is set, that source decides about the line instead, until the line's source shows another price.
create table contradicted_line (
  line_id bigint primary key references price_line,
  price numeric not null,
  other_price numeric not null,
  sources text[] not null check (cardinality(sources) > 0),
  since timestamptz(3) not null,
  decided_by text references source
);
create index contradicted_line_by_decider on contradicted_line (decided_by) where decided_by is not null;
