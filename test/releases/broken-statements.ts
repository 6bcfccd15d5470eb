import type { Sql } from '../../src/lib/sql.ts'
import { insertsOf } from './statements.ts'

/** A statement that a schema does not take, and why. */
export type BrokenStatement = { statement: string; because: string }

/**
 * Returns which of these statements a database does not take: PostgreSQL prepares each, and each insert has to give
 * every column that needs a value. What a check or a unique index refuses shows only when it runs.
 */
export async function brokenStatements(sql: Sql, statements: string[]): Promise<BrokenStatement[]> {
  const needed = await neededColumns(sql)
  const broken: BrokenStatement[] = []
  const connection = await sql.reserve()
  try {
    for (const statement of statements) {
      const missing = insertsOf(statement).flatMap(({ table, columns }) =>
        (needed.get(table) ?? []).filter((column) => !columns.includes(column)).map((column) => `${table}.${column}`),
      )
      if (missing.length > 0) broken.push({ statement, because: `gives no ${missing.join(', ')}` })
      else
        await connection
          .unsafe(`prepare one as ${statement}; deallocate one`)
          .simple()
          .catch((error: Error) => {
            broken.push({ statement, because: error.message })
          })
    }
  } finally {
    connection.release()
  }
  return broken
}

/** The columns of each table that take no null and have no default. */
async function neededColumns(sql: Sql): Promise<Map<string, string[]>> {
  const rows = await sql<{ table: string; columns: string[] }[]>`
    select table_name as table, array_agg(column_name::text order by column_name) as columns from information_schema.columns
    where table_schema = current_schema() and is_nullable = 'NO' and column_default is null
      and is_identity = 'NO' and is_generated = 'NEVER'
    group by table_name`
  return new Map(rows.map(({ table, columns }) => [table, columns]))
}
