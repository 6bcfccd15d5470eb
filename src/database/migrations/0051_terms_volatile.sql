-- The units of a version's text that are not compared, because they differ at nearly every fetch.
alter table document_version add column left_out text[] not null default '{}';

-- What the fetches of a document taught: which of its places change at nearly every fetch.
create table document_volatility (
  source text primary key references source,
  places jsonb not null,
  updated_at timestamptz(3) not null
);
