-- A held row stands while its source repeats it: since then, in so many good fetches. It is judged again at
-- judged_again_at, though the source says nothing new.
alter table price_line
  add column held_since timestamptz(3),
  add column held_fetches integer not null default 0,
  add column judged_again_at timestamptz(3);
update price_line l
set held_since = r.recorded_at, held_fetches = 1, judged_again_at = r.recorded_at
from price_row r where r.content_hash = l.held_hash;

-- What was known about the price when it was judged last.
alter table review_row add column evidence jsonb;
