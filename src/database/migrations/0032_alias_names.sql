-- Two names that look alike are one name: capitals, composed accents (NFC) and kinds of space do not tell them apart.
create function alias_name_key(name text) returns text language sql immutable strict parallel safe
return lower(btrim(regexp_replace(normalize(name, nfc), '[ \u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]+', ' ', 'g')));

-- Where two groups have one name by that, the younger one gets its id as part of its name, as a revision of its own.
with renamed as (
  update alias_group g
  set name = g.name || ' ' || g.group_id, revision = revision + 1, updated_at = clock_timestamp()
  where g.deleted_at is null and exists (
    select from alias_group o where o.deleted_at is null and o.group_id < g.group_id
      and alias_name_key(o.name) = alias_name_key(g.name))
  returning g.group_id, g.revision, g.updated_at, g.name
), recorded as (
  insert into alias_revision (group_id, revision, at, name, actor)
  select group_id, revision, updated_at, name, 'migration' from renamed
)
update alias_catalog set version = version + (select count(*) from renamed);

drop index alias_group_name;
create unique index alias_group_name on alias_group (alias_name_key(name)) where deleted_at is null;
