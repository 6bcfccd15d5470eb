import { connect, type Sql } from '../../lib/sql.ts'

/** Our database, and the role of the same name that owns it and nothing else. */
export const DATABASE = 'pricetape'
/** Exists because every cluster has one; it has no password, so nobody can log in as it. */
export const SUPERUSER = 'postgres'

/** What the role may do besides owning its database: for tests and benchmarks alone. */
export type RoleAttributes = 'createdb' | 'superuser'

const SETUP = 'pricetape_setup'

export const createRoleSql = (password: string, attributes = ''): string =>
  `create role ${DATABASE} login ${attributes} password ${literal(password)};`

export const setPasswordSql = (password: string): string => `alter role ${DATABASE} password ${literal(password)};`

const literal = (text: string): string => `'${text.replaceAll("'", "''")}'`

/**
 * Makes sure that our role is not a superuser. In clusters of version 0.1.0 it is: there its rights move to a superuser
 * nobody can log in as, and it keeps its database and what is in it.
 * @throws when the password is not the one of this cluster.
 */
export async function ensureOrdinaryRole(serverUrl: string, password: string): Promise<void> {
  const sql = await openOwnDatabase(serverUrl)
  try {
    const [role] = await sql<{ super: boolean }[]>`select rolsuper as super from pg_roles where rolname = session_user`
    if (role?.super) await demote(sql, password)
  } finally {
    await sql.end({ timeout: 1 })
  }
}

/** A start of 0.1.0 that was killed between two steps left a cluster without our database. */
async function openOwnDatabase(serverUrl: string): Promise<Sql> {
  const own = connect(`${serverUrl}/${DATABASE}`, { max: 1 })
  try {
    await own`select 1`
    return own
  } catch (error) {
    await own.end({ timeout: 1 })
    if ((error as { code?: string }).code !== '3D000') throw error
  }
  const maintenance = connect(`${serverUrl}/postgres`, { max: 1 })
  await maintenance.unsafe(`create database ${DATABASE}`).finally(() => maintenance.end({ timeout: 1 }))
  return connect(`${serverUrl}/${DATABASE}`, { max: 1 })
}

/**
 * The first role of a cluster stays a superuser for ever, so it is renamed and a new one takes its name. A role cannot
 * rename itself: a temporary superuser does.
 */
async function demote(sql: Sql, password: string): Promise<void> {
  await sql.unsafe(`
    begin;
    create role ${SETUP} superuser;
    set local session authorization ${SETUP};
    alter role ${DATABASE} rename to ${SUPERUSER};
    ${createRoleSql(password)}
    alter database ${DATABASE} owner to ${DATABASE};
    ${GIVE_OBJECTS}
    alter role ${SUPERUSER} password null;
    reset session authorization;
    drop role ${SETUP};
    commit;`)
}

/** Indexes, owned sequences and row types follow their tables. */
const GIVE_OBJECTS = `
  do $$
  declare object record;
  begin
    for object in
      select format('alter %s %I.%I owner to ${DATABASE}',
                    case c.relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence'
                                   else 'table' end, n.nspname, c.relname) as statement
      from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where n.nspname = 'public' and c.relkind in ('r', 'p', 'v', 'm', 'S')
        and not exists (select from pg_depend d where d.objid = c.oid and d.deptype in ('a', 'i') and c.relkind = 'S')
      union all
      select format('alter routine %s owner to ${DATABASE}', p.oid::regprocedure)
      from pg_proc p join pg_namespace n on n.oid = p.pronamespace where n.nspname = 'public'
      union all
      select format('alter %s %I.%I owner to ${DATABASE}', case t.typtype when 'd' then 'domain' else 'type' end,
                    n.nspname, t.typname)
      from pg_type t join pg_namespace n on n.oid = t.typnamespace
      where n.nspname = 'public' and t.typtype in ('d', 'e')
    loop
      execute object.statement;
    end loop;
  end $$;`
