-- Every fetch asks which lines of its source are absent or held: few of millions.
create index price_line_waiting on price_line (source)
  where held_hash is not null or (missing_since is not null and removed_at is null);
