-- Which rule of the normal form explained how many words of a change; null for texts of before.
alter table document_version add column explained jsonb;
