import { connect } from '../../../src/lib/sql.ts'

/** Megabytes of Temporal's databases on a PostgreSQL server, and how many workflows they hold. */
export async function temporalSize(serverUrl: string): Promise<Record<string, { MB: number; workflows: number }>> {
  const sizes: Record<string, { MB: number; workflows: number }> = {}
  for (const [name, table] of [
    ['temporal', 'current_executions'],
    ['temporal_visibility', 'executions_visibility'],
  ] as const) {
    const sql = connect(serverUrl.replace(/[^/]*$/, name), { max: 1, name: 'size' })
    await sql.unsafe('vacuum analyze')
    const [row] = await sql<{ mb: number; workflows: number }[]>`
      select round(pg_database_size(current_database()) / 1e6, 1)::float as mb, count(*)::int as workflows
      from ${sql(table)}`
    sizes[name] = { MB: row!.mb, workflows: row!.workflows }
    await sql.end()
  }
  return sizes
}
