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
  const free = plansEachTime ? undefined : clean.pop()
  if (free) return free
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
  return { name, url, sql: connect(url, { name: OWN }) }
}

const [CLOSING_MS, POLL_MS] = [5_000, 50]
/** What the connections of `db.sql` are called: all others have to be closed when a test ends. */
const OWN = 'test'

/** Copies that no test uses now, as they were made. Their connections have planned what tests ask. */
const clean: Copy[] = []

/**
 * Puts a copy back as it was made, for the next test, and drops it where a test changed more than rows.
 * @param used the pool that the test had at its end: one that took another can have done anything
 */
async function giveBack(server: string, copy: Copy, used = copy.sql): Promise<void> {
  const isOther = used !== copy.sql
  if (isOther) await used.end()
  const left = await leftConnections(server, copy)
  if (left.length > 0) {
    await dropCopy(server, copy)
    throw new Error(`connections left open: ${JSON.stringify(left)}`)
  }
  if (!isOther && (await isReset(copy))) clean.push(copy)
  else await dropCopy(server, copy)
}

/** Whether a copy is again as it was made. */
async function isReset({ sql }: Copy): Promise<boolean> {
  try {
    const [found] = await sql<{ altered: boolean }[]>`select tests.is_altered() as altered`
    if (found?.altered !== false) return false
    await sql`select tests.reset()`
    return true
  } catch {
    return false
  }
}

/** Returns the connections of others to a copy. PostgreSQL notices a moment later that one was closed. */
async function leftConnections(server: string, { name }: Copy): Promise<readonly object[]> {
  const connections = () => adminOf(server)`
    select pid, application_name, query from pg_stat_activity
    where datname = ${name} and backend_type = 'client backend' and application_name <> ${OWN}`
  let left = await connections()
  for (let waited = 0; left.length > 0 && waited < CLOSING_MS; waited += POLL_MS) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    left = await connections()
  }
  return left
}

/** Force is refused where autovacuum works in the database; without it PostgreSQL ends autovacuum by itself. */
async function dropCopy(server: string, { name, sql }: Copy): Promise<void> {
  await sql.end()
  const admin = adminOf(server)
  await admin
    .unsafe(`drop database if exists ${name}`)
    .catch(() => admin.unsafe(`drop database if exists ${name} with (force)`))
}

/** Runs work on a database of its own: for each run of a property. */
export async function withDatabase(work: (sql: Sql) => Promise<void>): Promise<void> {
  const server = inject('postgres')
  const copy = await copyTemplate(server)
  try {
    await work(copy.sql)
  } finally {
    await giveBack(server, copy)
  }
}

/**
 * A database of this test file's own, copied from the migrated template. Call at the top of a file or a `describe`.
 * `db.sql` is ready inside tests; `db.url` opens further connections. A pool that a test leaks fails the file.
 * @param options.each a copy as it was made for every test: for tests that change what others would read
 * @param options.plansEachTime whether statements are planned for their values, as in production: for tests of plans
 */
export function testDatabase({ each = false, plansEachTime = false } = {}) {
  const server = inject('postgres')
  const db = { sql: undefined as unknown as Sql, url: '', name: '', each }
  let copy: Copy
  const [before, after] = each ? [beforeEach, afterEach] : [beforeAll, afterAll]
  before(async () => {
    copy = await copyTemplate(server, plansEachTime)
    Object.assign(db, copy)
  })
  after(() => (plansEachTime ? dropCopy(server, copy) : giveBack(server, copy, db.sql)))
  return db
}
