import type { Sql } from '../../../src/lib/sql.ts'

/** A database that was just migrated. */
export type Blank = {
  state: string
  /** A statement that names the tables whose rows differ. */
  differing: string
  /** By table, a statement that puts its rows back. */
  rows: Map<string, string>
  sequences: string
}

/** Whether tables, functions, rules and settings are those of the migration, and nothing was analyzed since. */
const STATE = `
  select concat_ws(' ',
    (select md5(string_agg(concat_ws(' ', oid, relname, relkind, relnatts, relchecks, relhastriggers, relacl, reltuples), ','
       order by oid)) from pg_class where relnamespace = 'public'::regnamespace),
    (select sum(a.xmin::text::bigint) from pg_attribute a join pg_class c on c.oid = a.attrelid
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'),
    (select sum(xmin::text::bigint) from pg_proc where pronamespace = 'public'::regnamespace),
    (select sum(xmin::text::bigint) from pg_trigger),
    (select sum(xmin::text::bigint) from pg_constraint),
    (select count(*) from pg_namespace where nspname !~ '^pg_(toast_)?temp_'),
    (select string_agg(s::text, ',') from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
     where d.datname = current_database()),
    (select concat_ws(' ', datconnlimit, datallowconn, datacl) from pg_database where datname = current_database())
  ) as state`

/** The driver keeps only statements prepared that have a parameter: these are planned once a connection. */
const prepared = <T extends object[]>(sql: Sql, statement: string) =>
  sql.unsafe<T>(`${statement} where $1`, [true], { prepare: true })

/** Reads what a database holds that was just copied. */
export async function blankOf(sql: Sql): Promise<Blank> {
  const [stored] = await sql.unsafe<[{ state: string }]>(STATE)
  const tables = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace`
  const rows = new Map<string, string>()
  const differing: string[] = []
  for (const { name } of tables) {
    const [{ content }] = await sql.unsafe<[{ content: string | null }]>(`select ${contentOf(name)}::text as content`)
    if (content === null) differing.push(`case when exists (select from ${name}) then '${name}' end`)
    else {
      differing.push(`case when ${contentOf(name)} is distinct from ${literal(content)}::jsonb then '${name}' end`)
      rows.set(name, await insertion(sql, name, content))
    }
  }
  return {
    state: stored.state,
    differing: `select array_remove(array[${differing.join(', ')}], null) as names`,
    rows,
    sequences: await restart(sql),
  }
}

/**
 * Gives a database the rows and sequences that it had after its migration.
 * @returns whether it could: not where more than rows was changed
 */
export async function makeBlank(sql: Sql, blank: Blank): Promise<boolean> {
  const [stored] = await prepared<[{ state: string }]>(sql, STATE)
  if (stored.state !== blank.state) return false
  const [{ names }] = await prepared<[{ names: string[] }]>(sql, blank.differing)
  const statements = names.map((name) => `delete from ${name}; ${blank.rows.get(name) ?? ''}`)
  const all = ['set local session_replication_role = replica', ...statements, blank.sequences]
  await sql.begin((tx) => tx.unsafe(all.join(';')))
  return true
}

const literal = (text: string) => `'${text.replaceAll("'", "''")}'`
const contentOf = (table: string) => `(select jsonb_agg(to_jsonb(t) order by to_jsonb(t)::text) from ${table} t)`

async function insertion(sql: Sql, table: string, content: string): Promise<string> {
  const columns = await sql<{ name: string }[]>`
    select quote_ident(attname) as name from pg_attribute
    where attrelid = ${table}::regclass and attnum > 0 and not attisdropped and attgenerated = '' order by attnum`
  const list = columns.map(({ name }) => name).join(', ')
  const rows = `jsonb_populate_recordset(null::${table}, ${literal(content)})`
  return `insert into ${table} (${list}) overriding system value select ${list} from ${rows}`
}

async function restart(sql: Sql): Promise<string> {
  const sequences = await sql<{ name: string }[]>`
    select oid::regclass::text as name from pg_class where relkind = 'S' and relnamespace = 'public'::regnamespace`
  const calls = sequences.map(async ({ name }) => {
    const [at] = await sql.unsafe<[{ last: string; called: boolean }]>(
      `select last_value as last, is_called as called from ${name}`,
    )
    return `setval('${name}', ${at.last}, ${at.called})`
  })
  return `select ${(await Promise.all(calls)).join(', ')}`
}
