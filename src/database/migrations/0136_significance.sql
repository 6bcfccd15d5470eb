-- How much a change of a document matters. It is computed once, when the change is recorded; changes recorded before have none.
create type significance as enum ('low', 'medium', 'high');
alter table event add column significance significance check (significance is null or type = 'tos.changed');
alter table document_version add column significance significance;

-- Changes below it are not sent. An event without a significance is sent whatever this is.
alter table webhook_version add column min_significance significance not null default 'low';
