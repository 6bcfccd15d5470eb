-- The text with which a change came that waits, where another text has replaced it and a part of the change lasts.
alter table document_version add column lasts_since uuid references document_version;
