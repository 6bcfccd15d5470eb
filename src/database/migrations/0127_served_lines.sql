-- Which sources are served for which providers: freshness asks it at every request of the directory.
create index price_line_served on price_line (source, provider, (missing_since is null))
  where current_hash is not null and removed_at is null;
