set local statement_timeout = 0;

-- What the published row of a line says, as one number (line_content). Whoever publishes another row, also a process of an
-- older version, has it noted.
alter table price_line add column content bigint,
  add constraint price_line_content check (content is null or current_hash is not null);

create trigger note_content before update of current_hash on price_line
  for each row when (new.current_hash is distinct from old.current_hash) execute function note_content();

-- Every line, until the next check of its source notes what it says; then those of a first load by a process of an older
-- version, and there are none otherwise.
create index price_line_without_content on price_line (source) where content is null and current_hash is not null;
