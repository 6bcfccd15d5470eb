-- Since when texts of a document have needed a review for the same reason: a hold does not begin again with every edit.
alter table document_version add column doubt_since timestamptz(3);

-- The text that a page shows in place of a document, and since when. One that stays waits for a review.
create table document_quarantine (
  source text primary key references source,
  normal_hash text not null,
  reason text not null,
  since timestamptz(3) not null
);
