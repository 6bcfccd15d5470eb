-- A version that went away before it was confirmed has expired.
alter table document_version drop constraint document_version_status_check;
update document_version set status = 'expired' where status = 'lapsed';
alter table document_version add constraint document_version_status_check
  check (status in ('candidate', 'held', 'published', 'cosmetic', 'expired', 'rejected'));
