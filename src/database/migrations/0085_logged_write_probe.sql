-- Readiness gives this table a new file and rolls back. PostgreSQL may not start again when it is killed right after a
-- transaction that gave an unlogged table a new file is rolled back (docs/decisions/2026-11-22-unlogged-tables.md).
alter table write_probe set logged;
