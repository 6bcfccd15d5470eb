set local statement_timeout = 0;

-- As a publication does: first of all.
select from publication_clock for update;
select settle_superseded(array(select line_id from publication group by line_id having count(*) > 1), '-infinity', false);

-- As before, with what says which rows are current. That of dimensions now covers a page too.
create index publication_of_provider on publication (provider, content_hash)
  include (published_at, unpublished_at, superseded_at, current_again_at, source, resource, dimension, line_id,
           recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_in_page_order on publication (content_hash)
  include (published_at, unpublished_at, superseded_at, current_again_at, provider, source, resource, dimension, line_id,
           recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
create index publication_of_dimension on publication (dimension, content_hash)
  include (published_at, unpublished_at, superseded_at, current_again_at, provider, source, resource, line_id,
           recorded_at, body)
  where octet_length(resource) + octet_length(body) <= 2200;
-- Readers wait for this alone.
drop index publication_by_provider, publication_in_order, publication_by_dimension;
