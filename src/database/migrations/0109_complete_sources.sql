-- A complete source says what its providers sell: what it does not list, they do not sell. complete_from is when it was
-- first read as one; until then it decides about what it lists alone.
alter table source
  add column complete boolean not null default false,
  add column complete_from timestamptz(3);
