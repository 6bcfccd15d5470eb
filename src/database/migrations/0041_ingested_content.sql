-- What each source said whenever it was ingested, as a hash of its lines and prices: an old list that is served again
-- is recognized, whatever the order and notation of its bytes.
create table ingested_content (
  source text not null references source,
  content text not null,
  ingested_at timestamptz(3) not null,
  primary key (source, content)
);
