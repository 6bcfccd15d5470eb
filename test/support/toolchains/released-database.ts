import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import { sha256 } from '../../../src/lib/hash.ts'
import type { Sql } from '../../../src/lib/sql.ts'

const DATABASES = new URL('../../releases/databases/', import.meta.url)

/** Returns the files by which a release made its database, by name. */
export async function releasedMigrations(version: string): Promise<Record<string, string>> {
  return JSON.parse(String(gunzipSync(await readFile(new URL(`${version}.migrations.json.gz`, DATABASES)))))
}

/** Makes an empty database one of a release, as far as the file `until`, without rows. */
export async function makeReleasedDatabase(sql: Sql, version: string, until = '9999'): Promise<void> {
  await sql.unsafe(
    'create table migration (name text primary key, sha256 text not null, applied_at timestamptz(3) not null default clock_timestamp())',
  )
  for (const [name, text] of Object.entries(await releasedMigrations(version))) {
    if (name > until) break
    await sql.unsafe(text)
    await sql`insert into migration (name, sha256) values (${name}, ${sha256(text)})`
  }
}

/** Fills the tables with what the release had written. */
export async function loadReleasedRows(sql: Sql, version: string): Promise<void> {
  const tables = JSON.parse(await readFile(new URL(`${version}.json`, DATABASES), 'utf8')) as Record<string, object[]>
  await sql.begin(async (tx) => {
    for (const [table, rows] of Object.entries(tables)) {
      const json = JSON.stringify(rows)
      await tx.unsafe(`delete from ${table}`)
      await tx`
        insert into ${tx(table)} overriding system value
        select * from jsonb_populate_recordset(null::${tx(table)}, ${json}::text::jsonb)`
    }
  })
}
