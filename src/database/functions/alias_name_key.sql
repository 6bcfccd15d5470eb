-- Two names that look alike are one name: capitals, composed accents (NFC) and kinds of space do not tell them apart.
-- An index of alias_group holds its results.
create or replace function alias_name_key(name text) returns text language sql immutable strict parallel safe
return lower(btrim(regexp_replace(normalize(name, nfc), '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')));
