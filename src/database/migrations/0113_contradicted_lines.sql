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
