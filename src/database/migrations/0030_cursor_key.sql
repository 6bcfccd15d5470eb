-- The key that cursors of this installation are sealed with: 244 random bits, made once and kept for good, because a
-- cursor does not expire. It is no key of webhook secrets, so an API process needs none of those.
create table cursor_key (
  only_row boolean primary key default true check (only_row),
  key bytea not null default sha256((gen_random_uuid()::text || gen_random_uuid()::text)::bytea)
);
insert into cursor_key default values;
