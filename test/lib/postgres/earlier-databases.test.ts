import { readFile } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { sha256 } from '../../../src/lib/hash.ts'
import { migrate } from '../../../src/lib/postgres/migrate.ts'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { schemaOf } from '../../releases/schema.ts'
import { testDatabase } from '../../support/database.ts'
import { makeReleasedDatabase, releasedMigrations } from '../../support/toolchains/released-database.ts'

const EARLIER = new URL('../../../src/database/earlier-files.json', import.meta.url)

const db = testDatabase({ each: true })

/** Runs work on an empty database beside the one of this test. */
async function onEmptyDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const name = `${db.name}_empty`
  await db.sql.unsafe(`create database ${name}`)
  const url = new URL(db.url)
  url.pathname = `/${name}`
  const sql = connect(url.href, { max: 2 })
  try {
    await work(sql)
  } finally {
    await sql.end()
    await db.sql.unsafe(`drop database ${name}`)
  }
}

it('knows the files of 1.0.0 by their names and contents', async () => {
  const { release } = JSON.parse(await readFile(EARLIER, 'utf8'))
  const files = Object.entries(await releasedMigrations('1.0.0')).map(([name, text]) => [name, sha256(text)])
  expect(release).toEqual({ version: '1.0.0', files: Object.fromEntries(files) })
})

it('takes a database of 1.0.0 for one that ran the baseline', async () => {
  await onEmptyDatabase(async (sql) => {
    await makeReleasedDatabase(sql, '1.0.0')
    const applied = await migrate(sql)
    expect(applied).not.toContain('0001_baseline.sql')
    expect(applied).toContain('0084_line_content.sql')
    expect(await sql`select from migration where name = '0001_baseline.sql'`).toHaveLength(1)
    // A process of 1.0.0 that starts beside the new version looks for its files.
    expect(await sql`select from migration where name = '0079_passkeys.sql'`).toHaveLength(1)
  })
})

it.each([
  ['0.1.0', '0011_claims.sql', '0013_terms_expired.sql is missing in it or differs'],
  ['a part of 1.0.0', '0078_totp.sql', '0079_passkeys.sql is missing in it or differs'],
])('refuses a database of %s and changes nothing in it', async (_, until, named) => {
  await onEmptyDatabase(async (sql) => {
    await makeReleasedDatabase(sql, '1.0.0', until)
    const before = await schemaOf(sql)
    await expect(migrate(sql)).rejects.toThrow(`not made by version 1.0.0: ${named}. Update it to 1.0.0 first`)
    expect(await schemaOf(sql)).toEqual(before)
    expect(await sql`select from migration where name > ${until} or name = '0001_baseline.sql'`).toHaveLength(0)
  })
})

it('accepts migrations that had another text before they were released', async () => {
  const { edited } = JSON.parse(await readFile(EARLIER, 'utf8')) as { edited: Record<string, string[]> }
  for (const [name, [hash]] of Object.entries(edited))
    await db.sql`update migration set sha256 = ${hash!} where name = ${name}`
  expect(await migrate(db.sql)).toEqual([])
  await db.sql`update migration set sha256 = 'other' where name = ${Object.keys(edited)[0]!}`
  await expect(migrate(db.sql)).rejects.toThrow(`Migration ${Object.keys(edited)[0]} differs`)
})

describe('a database that was made before migrations were joined', () => {
  async function recordApart(): Promise<Record<string, string[]>> {
    const { joined } = JSON.parse(await readFile(EARLIER, 'utf8')) as { joined: Record<string, string[]> }
    for (const [name, parts] of Object.entries(joined)) {
      await db.sql`delete from migration where name = ${name}`
      await db.sql`insert into migration (name, sha256) select part, 'as it was' from unnest(${parts}::text[]) as part`
    }
    return joined
  }

  it('counts as one that ran the files that stand for them', async () => {
    const joined = await recordApart()
    expect(await migrate(db.sql)).toEqual([])
    const names = await db.sql`select name from migration where name = any (${Object.keys(joined)})`
    expect(names).toHaveLength(Object.keys(joined).length)
  })

  it('is refused where it ran some of them', async () => {
    await recordApart()
    await db.sql`delete from migration where name >= '0145'`
    await expect(migrate(db.sql)).rejects.toThrow('ran 0140_log.sql, but not 0145_confirmation.sql')
  })
})
