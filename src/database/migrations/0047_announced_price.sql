-- What subscribers know of a volatile line: the row of the newest event about it, and when that was. Only lines whose
-- price changed since their source was declared volatile are here.
create table announced_price (
  line_id bigint primary key references price_line,
  content_hash text collate "C" not null references price_row,
  announced_at timestamptz(3)
);
