import type { Sql } from '../../src/lib/sql.ts'

const DAYS = 31
const LOOKUPS = 2_000

/**
 * Copies the deliveries into a table that is partitioned by the day they were created, with the same indexes, and compares
 * what a delivery costs there. Nothing of it can be used: neither the primary key nor "one delivery for each webhook and
 * event" can be unique over partitions.
 */
export async function partitionsBeside(sql: Sql) {
  await sql`create table parts (like delivery including defaults) partition by range (created_at)`
  for (let day = 0; day < DAYS; day++)
    await sql.unsafe(`
      create table parts_${day} partition of parts
      for values from (current_date - ${DAYS - 2 - day}) to (current_date - ${DAYS - 3 - day})`)
  await sql`create table parts_rest partition of parts default`
  const indexes = await sql<{ definition: string }[]>`
    select indexdef as definition from pg_indexes where tablename = 'delivery'`
  await sql`insert into parts select * from delivery`
  for (const [n, { definition }] of indexes.entries())
    await sql.unsafe(
      definition
        .replace(/UNIQUE INDEX/, 'INDEX')
        .replace(/INDEX \w+ ON public\.delivery/, `INDEX parts_index_${n} ON parts`),
    )
  await sql`analyze parts`
  const [days] = await sql<{ rows: number }[]>`select count(*)::int as rows from parts_5`
  const began = performance.now()
  await sql`drop table parts_5`
  const dropMs = Math.round(performance.now() - began)
  return {
    findByIdMicroseconds: { one: await findMany(sql, 'delivery'), partitioned: await findMany(sql, 'parts') },
    drop: { rows: days!.rows, ms: dropMs },
  }
}

/** How long the server takes to find a delivery by its id, as every claim and every attempt does. */
async function findMany(sql: Sql, table: string): Promise<number> {
  const ids = (await sql`select delivery_id as id from ${sql(table)} order by random() limit ${LOOKUPS}`).map(
    ({ id }) => id,
  )
  const began = performance.now()
  await sql.unsafe(`do $$ declare one uuid; begin foreach one in array '{${ids.join(',')}}'::uuid[] loop
    perform from ${table} where delivery_id = one; end loop; end $$`)
  return Math.round(((performance.now() - began) / ids.length) * 1_000)
}
