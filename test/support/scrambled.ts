import type { Sql } from '../../src/lib/sql.ts'

const AT = ['2026-01-04', '2026-01-02', '2026-01-03', '2026-01-02', '2026-01-01']
const WRITTEN = [3, 1, 4, 0, 2]

/**
 * Gives five rows times that are in no order with their ids, two of them the same time, and writes them in a third order.
 * @returns their ids by time and id, the oldest first
 */
export async function scrambled(
  sql: Sql,
  rows: { table: string; id: string; ids: string[]; at?: string },
): Promise<string[]> {
  const { table, id, at = 'created_at' } = rows
  const ids = [...rows.ids].sort()
  if (ids.length !== AT.length) throw new Error(`${AT.length} rows are needed`)
  for (const n of WRITTEN)
    await sql`update ${sql(table)} set ${sql(at)} = ${AT[n]!}::timestamptz where ${sql(id)}::text = ${ids[n]!}`
  return ids
    .map((one, n) => `${AT[n]} ${one}`)
    .sort()
    .map((line) => line.split(' ')[1]!)
}
