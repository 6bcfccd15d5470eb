-- A collection claims its source for two minutes and renews the claim while it works. A claim that lapsed belongs to a
-- process that died: the source is tried once more, alone, then quarantined. interruptions counts such claims since the
-- last recorded outcome; reading_hash is the snapshot that was being read.
alter table source
  add column claim uuid,
  add column reading_since timestamptz(3),
  add column reading_hash text references snapshot,
  add column interruptions integer not null default 0;
