-- The keys of cursors before the one in cursor_key. A cursor does not expire, so they are kept: each still opens the
-- cursors that were sealed with it.
create table earlier_cursor_key (
  key bytea primary key,
  replaced_at timestamptz(3) not null default clock_timestamp()
);
