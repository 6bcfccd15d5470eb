-- Where the bytes were read first: a URL, the path of a curated file as it is declared, or a release that came with the
-- product. Absent for snapshots of older versions.
alter table snapshot add column address text;
