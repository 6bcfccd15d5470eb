import { randomBytes } from 'node:crypto'
import { connect, type Sql } from '../../../src/lib/sql.ts'
import { TEMPLATE } from '../servers/postgres.ts'
import { type Blank, blankOf, makeBlank } from './blank.ts'
import { lendPool } from './lent-pool.ts'

type Database = { name: string; url: string; template: string; pool: Sql; uses: number }
/** A database that a test has for itself until it returns it. `sql` can be used until then. */
export type Copy = { name: string; url: string; sql: Sql; endLoan: () => boolean; database: Database; isKept: boolean }

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
  const database = at === -1 ? await copyTemplate(server, template) : kept.splice(at, 1)[0]!
  if (plansEachTime) await adminOf(server).unsafe(`alter database ${database.name} set plan_cache_mode = auto`)
  database.uses++
  const { name, url, pool } = database
  return { name, url, ...lendPool(pool), database, isKept: !plansEachTime }
}

async function copyTemplate(server: string, template: string): Promise<Database> {
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
  const pool = connect(url, { name: POOL })
  const blank = blanks.get(template) ?? blankOf(pool)
  blanks.set(template, blank)
  await blank
  return { name, url, template, pool, uses: 0 }
}

/** Takes a database back, empties it for the next test or drops it. Throws when connections to it were left open. */
export async function returnCopy(server: string, { endLoan, database, isKept }: Copy): Promise<void> {
  const isWhole = endLoan()
  const left = await waitForOthers(server, database.name)
  const canBeUsed =
    isWhole &&
    isKept &&
    left.length === 0 &&
    database.uses < MAX_USES &&
    kept.length < MAX_KEPT &&
    (await isIdle(server, database))
  if (canBeUsed && (await makeBlank(database.pool, await blanks.get(database.template)!))) {
    kept.push(database)
    return
  }
  await database.pool.end()
  // Force is refused where autovacuum works in the database; without it PostgreSQL ends autovacuum by itself.
  const force = left.length > 0 || (await waitForAll(server, database.name)) > 0
  await adminOf(server).unsafe(`drop database ${database.name}${force ? ' with (force)' : ''}`)
  if (left.length > 0) throw new Error(`connections left open: ${JSON.stringify(left)}`)
}

const [CLOSING_MS, POLL_MS] = [5_000, 10]

/** PostgreSQL notices a moment later that a connection was closed. */
async function waitWhile<T>(look: () => Promise<T>, isOpen: (seen: T) => boolean): Promise<T> {
  let seen = await look()
  for (let waited = 0; isOpen(seen) && waited < CLOSING_MS; waited += POLL_MS) {
    await new Promise((done) => setTimeout(done, POLL_MS))
    seen = await look()
  }
  return seen
}

/** Returns connections that are not of the test's own pool. */
const waitForOthers = (server: string, name: string) =>
  waitWhile(
    async () => [
      ...(await adminOf(server)`
        select pid, application_name, query from pg_stat_activity
        where datname = ${name} and backend_type = 'client backend' and application_name <> ${POOL}`),
    ],
    (left) => left.length > 0,
  )

const waitForAll = (server: string, name: string) =>
  waitWhile(
    async () => {
      const [row] = await adminOf(server)<{ open: number }[]>`
        select count(*)::int as open from pg_stat_activity where datname = ${name} and backend_type = 'client backend'`
      return row!.open
    },
    (open) => open > 0,
  )

/** Whether its pool has nothing under way: no transaction, no lock of a session, no channel that it listens to. */
async function isIdle(server: string, { name }: Database): Promise<boolean> {
  const [row] = await adminOf(server)<{ busy: boolean }[]>`
    select exists (
      select from pg_stat_activity
      where datname = ${name} and backend_type = 'client backend' and (state <> 'idle' or query ~* '^ *(listen|set) ')
    ) or exists (
      select from pg_locks l join pg_database d on d.oid = l.database where d.datname = ${name} and l.locktype = 'advisory'
    ) as busy`
  return !row!.busy
}
