-- When operators were notified that an item waits too long.
alter table review add notified_at timestamptz(3);
