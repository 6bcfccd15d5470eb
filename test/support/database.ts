import { randomBytes } from 'node:crypto'
import { afterAll, afterEach, beforeAll, beforeEach, inject } from 'vitest'
import { connect, type Sql } from '../../src/lib/sql.ts'
import { TEMPLATE } from './servers/postgres.ts'

type Copy = { name: string; url: string; sql: Sql }

/** The connection that makes and drops the databases of this process: opening one for each costs more than the copy. */
const admins = new Map<string, Sql>()

function adminOf(server: string): Sql {
  const admin = admins.get(server) ?? connect(`${server}/postgres`, { max: 1, name: 'test databases' })
  admins.set(server, admin)
  return admin
}

/** Copies the migrated template. `plansEachTime` says that statements are planned as by PostgreSQL's own settings. */
async function copyTemplate(server: string, plansEachTime = false): Promise<Copy> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = `${server}/${name}`
  const admin = adminOf(server)
  // Two processes may copy the template at once; PostgreSQL refuses while another copy holds it open.
  await admin`select pg_advisory_lock(1)`
  try {
    // Copying the files takes a tenth of the processor time that writing them to the log takes.
    await admin.unsafe(`create database ${name} template ${TEMPLATE} strategy file_copy`)
  } finally {
    await admin`select pg_advisory_unlock(1)`
  }
  if (plansEachTime) await admin.unsafe(`alter database ${name} set plan_cache_mode = auto`)
  return { name, url, sql: connect(url) }
}

const [CLOSING_MS, POLL_MS] = [5_000, 50]

/** Drops a copy. Throws when connections to it were left open. */
async function dropCopy(server: string, { name, sql }: Omit<Copy, 'url'>): Promise<void> {
  await sql.end()
  const admin = adminOf(server)
  const connections = () => admin`
    select pid, application_name, query from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
  let left = await connections()
  // PostgreSQL notices a moment later that a connection was closed.
  for (let waited = 0; left.length > 0 && waited < CLOSING_MS; waited += POLL_MS) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    left = await connections()
  }
  // Force is refused where autovacuum works in the database; without it PostgreSQL ends autovacuum by itself.
  await admin.unsafe(`drop database ${name}${left.length > 0 ? ' with (force)' : ''}`)
  if (left.length > 0) throw new Error(`connections left open: ${JSON.stringify(left)}`)
}

/** Runs work on a database of its own: for each run of a property. */
export async function withDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const server = inject('postgres')
  const copy = await copyTemplate(server)
  try {
    await work(copy.sql)
  } finally {
    await dropCopy(server, copy)
  }
}

/**
 * A database of this test file's own, copied from the migrated template. Call at the top of a file or a `describe`.
 * `db.sql` is ready inside tests; `db.url` opens further connections. A pool that a test leaks fails the file.
 * @param options.each a fresh copy for every test (about 50 ms each): for tests that change what others would read
 * @param options.plansEachTime whether statements are planned for their values, as in production: for tests of plans
 */
export function testDatabase({ each = false, plansEachTime = false } = {}) {
  const server = inject('postgres')
  const db = { sql: undefined as unknown as Sql, url: '', name: '', each }
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    Object.assign(db, await copyTemplate(server, plansEachTime))
  })
  after(() => dropCopy(server, db))
  return db
}
