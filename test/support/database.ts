import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, inject } from 'vitest'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { TEMPLATE } from './postgres.ts'

/**
 * A database of this test file's own, copied from the migrated template. Call at the top of a file or a `describe`.
 * `db.sql` is ready inside tests; `db.url` opens further connections. A pool that a test leaks fails the file.
 */
export function testDatabase() {
  const server = inject('postgres')
  const name = `test_${randomBytes(6).toString('hex')}`
  const db = { sql: undefined as unknown as Sql, url: `${server}/${name}`, name }
  beforeAll(async () => {
    const admin = connect(`${server}/postgres`, { max: 1 })
    // Two files may copy the template at once; PostgreSQL refuses while another copy holds it open.
    await admin`select pg_advisory_lock(1)`
    await admin.unsafe(`create database ${name} template ${TEMPLATE}`)
    await admin.end()
    db.sql = connect(db.url)
  })
  afterAll(async () => {
    await db.sql.end()
    const admin = connect(`${server}/postgres`, { max: 1 })
    const left = await admin`select pid, application_name, query from pg_stat_activity where datname = ${name}`
    await admin.unsafe(`drop database ${name} with (force)`)
    await admin.end()
    if (left.length > 0) throw new Error(`connections left open: ${JSON.stringify(left)}`)
  })
  return db
}
