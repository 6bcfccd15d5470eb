import { randomBytes } from 'node:crypto'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { TEMPLATE } from '../servers/postgres.ts'
import { type Blank, blankOf, makeBlank } from './blank.ts'
import { lendPool } from './lent-pool.ts'

/** Where `blank` is absent, it is dropped after its first use. */
type Database = { name: string; url: string; template: string; pool: Sql; blank?: Blank; uses: number }
/** A database that a test has for itself until it returns it. `sql` can be used until then. */
export type Copy = { name: string; url: string; sql: Sql; endLoan: () => boolean; database: Database }

/** The connection that makes and drops the databases of this process: opening one for each costs more than the copy. */
const admins = new Map<string, Sql>()
const blanks = new Map<string, Promise<Blank>>()
/** Emptied databases of this process. The connections of their pools keep the plans of their statements. */
const kept: Database[] = []
const MAX_KEPT = 2
/** Rows that were deleted stay in the files of a database. */
const MAX_USES = 60
/** The name that PostgreSQL knows the connections of a pool by. */
const POOL = 'pricetape test'

function adminOf(server: string): Sql {
  const admin = admins.get(server) ?? connect(`${server}/postgres`, { max: 1, name: 'test databases' })
  admins.set(server, admin)
  return admin
}

/**
 * Returns a database as the migrated template is. `plansEachTime` says that statements are planned as by PostgreSQL's own
 * settings.
 */
export async function takeCopy(server: string, { isNew = false, plansEachTime = false } = {}): Promise<Copy> {
  const template = TEMPLATE
  const at = isNew || plansEachTime ? -1 : kept.findLastIndex((database) => database.template === template)
  const database = at === -1 ? await copyTemplate(server, template, plansEachTime) : kept.splice(at, 1)[0]!
  database.uses++
  const { name, url, pool } = database
  return { name, url, ...lendPool(pool), database }
}

async function copyTemplate(server: string, template: string, plansEachTime: boolean): Promise<Database> {
  const name = `test_${randomBytes(6).toString('hex')}`
  const url = `${server}/${name}`
  const admin = adminOf(server)
  // Two processes may copy the template at once; PostgreSQL refuses while another copy holds it open.
  await admin`select pg_advisory_lock(1)`
  try {
    // Copying the files takes a tenth of the processor time that writing them to the log takes.
    await admin.unsafe(`create database ${name} template ${template} strategy file_copy`)
  } finally {
    await admin`select pg_advisory_unlock(1)`
  }
  // Before the first connection, which would not have it.
  if (plansEachTime) await admin.unsafe(`alter database ${name} set plan_cache_mode = auto`)
  const pool = connect(url, { name: POOL })
  const blank = plansEachTime ? undefined : await blankFrom(template, pool)
  return { name, url, template, pool, blank, uses: 0 }
}

function blankFrom(template: string, pool: Sql): Promise<Blank> {
  const blank = blanks.get(template) ?? blankOf(pool)
  blanks.set(template, blank)
  return blank
}

const [CLOSING_MS, POLL_MS] = [5_000, 10]

/** Takes a database back, empties it for the next test or drops it. Throws when connections to it were left open. */
export async function returnCopy(server: string, { endLoan, database }: Copy): Promise<void> {
  const isWhole = endLoan()
  const { name, pool, blank, uses } = database
  let left = await connectionsBeside(server, name)
  // PostgreSQL notices a moment later that a connection was closed.
  for (let waited = 0; left.length > 0 && waited < CLOSING_MS; waited += POLL_MS) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    left = await connectionsBeside(server, name)
  }
  const mayBeKept = isWhole && left.length === 0 && uses < MAX_USES && kept.length < MAX_KEPT
  if (mayBeKept && blank && (await isIdle(server, name)) && (await makeBlank(pool, blank))) {
    kept.push(database)
    return
  }
  await pool.end()
  await adminOf(server).unsafe(`drop database ${name} with (force)`)
  if (left.length > 0) throw new Error(`connections left open: ${JSON.stringify(left)}`)
}

/** Returns connections that are not of the test's own pool. */
const connectionsBeside = (server: string, name: string) => adminOf(server)`
  select pid, application_name, query from pg_stat_activity
  where datname = ${name} and backend_type = 'client backend' and application_name <> ${POOL}`

/** Whether its pool has nothing under way: no transaction, no lock of a session, no channel that it listens to. */
async function isIdle(server: string, name: string): Promise<boolean> {
  const [row] = await adminOf(server)<{ busy: boolean }[]>`
    select exists (
      select from pg_stat_activity
      where datname = ${name} and backend_type = 'client backend' and (state <> 'idle' or query ~* '^ *(listen|set) ')
    ) or exists (
      select from pg_locks l join pg_database d on d.oid = l.database where d.datname = ${name} and l.locktype = 'advisory'
    ) as busy`
  return !row!.busy
}
