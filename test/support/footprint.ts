import type { Db, Sql, Tx } from '../../src/lib/sql.ts'

/** What tells one new row of a table from another. */
const SAID = [
  'action',
  'kind',
  'to_address',
  'email',
  'role',
  'name',
  'type',
  'event_id',
  'status',
  'not_sent',
  'state',
  'what',
]

/** Written by the way, as time passes. */
const BESIDE = ['clock_anchor']

/** What tells the rows of tables without a primary key apart. */
const KEYS = [{ table: 'publication', key: ['content_hash', 'published_at'] }]

/** Ids that the database gives differ each time. */
const ID = /[0-9a-f]{8}-[0-9a-f-]{27}(_\d+)?/g

type Row = Record<string, unknown>

/** Every row of every table, by its table and primary key. */
async function rowsOf(db: Db): Promise<Map<string, { table: string; row: Row }>> {
  const tables = await db<{ table: string; key: string[] }[]>`
    select c.relname as table, array_agg(a.attname::text order by a.attnum) as key
    from pg_class c join pg_index i on i.indrelid = c.oid and i.indisprimary
    join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and c.relname <> all (${BESIDE})
    group by 1`
  const selects = [...tables, ...KEYS].map(
    ({ table, key }) => `
      select '${table}' as "table", concat_ws(' ', ${key.map((column) => `"${column}"`).join(', ')}) as key,
             to_jsonb(t) as row from "${table}" t`,
  )
  const rows = await db.unsafe<{ table: string; key: string; row: Row }[]>(selects.join(' union all '))
  return new Map(rows.map(({ table, key, row }) => [`${table} ${key}`, { table, row }]))
}

type Rows = Awaited<ReturnType<typeof rowsOf>>

function changesBetween(before: Rows, after: Rows, also: readonly string[]) {
  const said = (row: Row): string =>
    [...SAID.filter((column) => typeof row[column] === 'string'), ...also.filter((column) => row[column] != null)]
      .map((column) => ` ${String(row[column]).replace(ID, '…')}`)
      .join('')
  const found: string[] = []
  for (const [key, { table, row }] of before) {
    const now = after.get(key)?.row
    if (!now) found.push(`${table}: removed${said(row)}`)
    else {
      const columns = Object.keys(row).filter((column) => JSON.stringify(row[column]) !== JSON.stringify(now[column]))
      if (columns.length > 0) found.push(`${table}: changed ${columns.join(', ')}${said(now)}`)
    }
  }
  for (const [key, { table, row }] of after) if (!before.has(key)) found.push(`${table}: added${said(row)}`)
  const counts = new Map<string, number>()
  for (const line of found.sort()) counts.set(line, (counts.get(line) ?? 0) + 1)
  return [...counts].map(([line, count]) => (count > 1 ? `${line} ×${count}` : line))
}

/**
 * A transaction in which use cases open their own. What they say of how long theirs may take would hold for the rest of it, which
 * a machine under load may need longer for.
 */
function within(tx: Tx): Sql {
  const begin = async (work: (inner: Tx) => unknown): Promise<unknown> => {
    const made = await tx.savepoint(work)
    await tx`set local transaction_timeout = 0`
    return made
  }
  return new Proxy(tx, {
    get: (target, name) => (name === 'begin' ? begin : Reflect.get(target, name)),
  }) as unknown as Sql
}

/**
 * Does something, and undoes it. Returns each row of the whole database that it added, removed or changed: what is not
 * in this list stays as it was, whoever it belongs to.
 * @param given what is there before
 * @param also further columns that tell one row from another
 */
export async function footprint(
  sql: Sql,
  work: (sql: Sql) => Promise<unknown>,
  given: (sql: Sql) => Promise<unknown> = async () => {},
  also: readonly string[] = [],
): Promise<string[]> {
  const undone = new Error('undone')
  let found: string[] = []
  await sql
    .begin(async (tx) => {
      await given(within(tx))
      const before = await rowsOf(tx)
      await work(within(tx))
      await tx`set constraints all immediate`
      found = changesBetween(before, await rowsOf(tx), also)
      throw undone
    })
    .catch((error: unknown) => {
      if (error !== undone) throw error
    })
  return found
}
