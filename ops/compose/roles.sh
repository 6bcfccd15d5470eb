#!/bin/sh
# Gives the product and Temporal a role each that owns its databases and is not a superuser. The image of PostgreSQL runs it
# when it makes the volume. On a volume of Pricetape 1.0.0, whose only role was the superuser pricetape, run it once:
#   docker compose exec postgres sh /docker-entrypoint-initdb.d/roles.sh
# Running it again changes nothing but the passwords of the two roles, which become POSTGRES_PASSWORD.
set -eu
as() { psql --quiet --no-psqlrc --set=ON_ERROR_STOP=1 --username="$1" --dbname="$2" --set=password="$POSTGRES_PASSWORD"; }

# The first role of a cluster stays a superuser, so it is renamed, which it cannot do itself.
if [ "$(psql --username=pricetape --dbname=postgres --tuples-only --no-align \
  --command='select rolsuper from pg_roles where rolname = session_user' 2>/dev/null || true)" = t ]; then
  as pricetape postgres <<'SQL'
create role pricetape_setup superuser login;
SQL
  as pricetape_setup postgres <<'SQL'
alter role pricetape rename to postgres;
SQL
  as postgres postgres <<'SQL'
drop role pricetape_setup;
SQL
fi

# No one logs in as the superuser over the network: it has no password. Within the container it needs none.
as postgres postgres <<'SQL'
select format('create role %I login', name) from unnest(array['pricetape', 'temporal']) as name
where not exists (select from pg_roles where rolname = name) \gexec
alter role pricetape password :'password';
alter role temporal password :'password';
alter role postgres password null;
select format('create database %I', name) from unnest(array['pricetape', 'temporal', 'temporal_visibility']) as name
where not exists (select from pg_database where datname = name) \gexec
alter database pricetape owner to pricetape;
alter database temporal owner to temporal;
alter database temporal_visibility owner to temporal;
SQL

# What is in them follows: indexes, owned sequences and row types go with their tables.
give() {
  as postgres "$1" <<SQL
select format('alter %s %I.%I owner to $2',
              case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
              n.nspname, c.relname)
from pg_class c join pg_namespace n on n.oid = c.relnamespace
where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')
  and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i', 'e')
                  and (c.relkind = 'S' or d.deptype = 'e')) \gexec
select format('alter routine %s owner to $2', p.oid::regprocedure)
from pg_proc p join pg_namespace n on n.oid = p.pronamespace
where n.nspname = 'public' and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') \gexec
select format('alter type %I.%I owner to $2', n.nspname, t.typname)
from pg_type t join pg_namespace n on n.oid = t.typnamespace
where n.nspname = 'public' and t.typtype in ('d', 'e') \gexec
SQL
}
give pricetape pricetape
give temporal temporal
give temporal_visibility temporal
