import { describe, expect, it } from 'vitest'
import type { Sql } from '../../src/lib/sql.ts'
import { model } from '../prices/observed.ts'
import { snapshot } from '../prices/support.ts'
import { addOperator } from '../support/accounts.ts'
import { withDatabase } from '../support/database.ts'
import { addWebhook } from '../support/webhooks/subscriptions.ts'

/** Everything that a test can find in a database: rows, sequences, tables and columns, and settings. */
async function contentOf(sql: Sql) {
  const tables = await sql<{ name: string }[]>`
    select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1`
  const rows: Record<string, string> = {}
  for (const { name } of tables) {
    const [found] = await sql<{ rows: string }[]>`
      select coalesce(jsonb_agg(t order by t::text), '[]')::text as rows from ${sql(name)} t`
    rows[name] = found!.rows
  }
  const columns = await sql`
    select table_name, column_name, data_type, column_default from information_schema.columns
    where table_schema = 'public' order by 1, 2`
  const functions = await sql`
    select proname from pg_proc where pronamespace = 'public'::regnamespace order by 1, pronargs`
  const sequences = await sql`select sequencename, last_value from pg_sequences order by 1`
  const settings = await sql`
    select setconfig from pg_db_role_setting
    where setdatabase = (select oid from pg_database where datname = current_database())`
  return { rows, columns: [...columns], functions: [...functions], sequences: [...sequences], settings: [...settings] }
}

/** Writes to many tables, and takes numbers from their sequences. */
async function write(sql: Sql): Promise<void> {
  await snapshot(sql, 'list', model('m1', 0.000001))
  await snapshot(sql, 'list', model('m1', 0.000002))
  const { workspaceId } = await addOperator(sql)
  await addWebhook(sql, workspaceId, { url: 'https://hooks.example.com/1' })
}

describe('a database of a test', () => {
  it('is as it was made, whatever the test before it wrote', async () => {
    const [first, written, next] = [await content(), await content(write), await content()]
    expect(written.rows).not.toEqual(first.rows)
    expect(written.sequences).not.toEqual(first.sequences)
    expect(next).toEqual(first)
  })

  it.each([
    ['a new table', 'create table more (id int)'],
    ['a column', 'alter table price_row add column more int'],
    ['a dropped table', 'drop table watch cascade'],
    ['a function', 'alter function instant_text rename to text_of_instant'],
    ['what every database has', "delete from migration where name like '0171%'"],
  ])('is as it was made where %s was changed', async (_, statement) => {
    const first = await content()
    const changed = await content(async (sql) => void (await sql.unsafe(statement)))
    expect(changed).not.toEqual(first)
    expect(await content()).toEqual(first)
  })

  it('has no setting that the test before it made', async () => {
    await withDatabase(async (sql) => {
      const [name] = await sql<{ name: string }[]>`select quote_ident(current_database()) as name`
      await sql.unsafe(`alter database ${name!.name} set default_transaction_read_only = on`)
    })
    await withDatabase(async (sql) => {
      expect(await sql`show default_transaction_read_only`).toEqual([{ default_transaction_read_only: 'off' }])
    })
  })
})

async function content(before: (sql: Sql) => Promise<void> = async () => {}) {
  let found: Awaited<ReturnType<typeof contentOf>> | undefined
  await withDatabase(async (sql) => {
    await before(sql)
    found = await contentOf(sql)
  })
  return found!
}
