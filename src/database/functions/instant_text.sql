-- An instant as answers show it. Generated columns of row_confirmation hold its results.
create or replace function instant_text(at timestamptz) returns text language sql immutable
return to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"');
