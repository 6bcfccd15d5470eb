import { sourceDeclaration } from '../../src/catalog/schema.ts'
import { migrate } from '../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { importHistory } from '../../src/roles/import-history.ts'

const SOURCE = sourceDeclaration.parse({ source: 'genai-prices', format: 'genai-prices', bundled: true })

/** A database with this many published rows: the real history of the bundled snapshots, multiplied as further resources. */
export async function databaseOf(server: string, rows: number): Promise<{ sql: Sql; url: string }> {
  const url = `${server}/bench_${rows}`
  const admin = connect(`${server}/postgres`, { max: 1 })
  await admin.unsafe(`create database bench_${rows}`)
  await admin.end()
  const sql = connect(url)
  await fillDatabase(sql, rows)
  return { sql, url }
}

/** Fills an empty database with this many published rows. */
export async function fillDatabase(sql: Sql, rows: number): Promise<void> {
  await migrate(sql)
  await importHistory(sql, [SOURCE], { progress: { say: () => {} } as never })
  const [real] = await sql<{ count: number }[]>`select count(*)::int from publication`
  await multiply(sql, Math.ceil(rows / real!.count) - 1)
}

async function multiply(sql: Sql, times: number): Promise<void> {
  const indexes = await sql<{ name: string; definition: string }[]>`
    select indexname as name, indexdef as definition from pg_indexes
    where tablename = 'publication'`
  await sql.begin(async (tx) => {
    await tx`set local statement_timeout = 0`
    for (const { name } of indexes) await tx.unsafe(`drop index ${name}`)
    await tx`alter table publication disable trigger user`
    await tx`
      insert into publication (content_hash, published_at, unpublished_at, superseded_at, current_again_at, provider, source, resource, line_id,
        recorded_at, dimension, currency, canonical_resource, body)
      select hash, published_at, unpublished_at, superseded_at, current_again_at, provider, source, resource || '-' || n, line_id + n * 1000000,
             recorded_at, dimension, currency, canonical_resource || '-' || n,
             replace(replace(body, content_hash, hash), '"resource":"' || resource || '"',
                     '"resource":"' || resource || '-' || n || '"')
      from generate_series(1, ${times}) as n
      cross join lateral (
        select *, encode(sha256((content_hash || n)::bytea), 'hex') as hash from publication) p`
    for (const { definition } of indexes) await tx.unsafe(definition)
    await tx`alter table publication enable trigger user`
  })
  const connection = await sql.reserve()
  await connection`set statement_timeout = 0`
  await connection.unsafe('vacuum analyze publication')
  await connection`reset statement_timeout`
  connection.release()
}
