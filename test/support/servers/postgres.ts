import { chmod, mkdtemp, rm, statfs } from 'node:fs/promises'
import { freemem, tmpdir } from 'node:os'
import { join } from 'node:path'
import { DATABASE } from '../../../src/embedded/postgres/roles.ts'
import { startPostgres } from '../../../src/embedded/postgres/start-postgres.ts'
import { migrate } from '../../../src/lib/postgres/migrate.ts'
import { silent } from '../../../src/lib/process/progress.ts'
import { connect } from '../../../src/lib/sql.ts'
import { CLUSTERS, removeLeftClusters } from '../suite/left-clusters.ts'

/** The migrated database that every test file's own database is copied from. */
export const TEMPLATE = 'pricetape_template'

const PASSWORD = 'postgres'
const SETTINGS = [
  'fsync=off',
  'synchronous_commit=off',
  'full_page_writes=off',
  'wal_level=minimal',
  'max_wal_senders=0',
  'max_wal_size=128MB',
  'max_connections=200',
  // It would end in the middle of a test that it makes slower. What statistics change, tests analyze themselves.
  'autovacuum=off',
]
/** The log file that keeps the statements of a run, of a version that is released (test/releases/record.ts). */
const RECORDED = process.env.PRICETAPE_RECORD_STATEMENTS
/** Where the log of the server is kept after a run, to see why it closed a connection. */
const KEPT_LOG = process.env.PRICETAPE_TEST_POSTGRES_LOG
const RECORDING = ['log_statement=all', 'log_parameter_max_length=0']
const MEMORY_DISK = '/dev/shm'
/** Copies of the template, 10 MB each, and the log. */
const ENOUGH_BYTES = 2 * 1024 ** 3

/**
 * A test runs a statement a few times on connections of its own. PostgreSQL would plan it again for its first five runs,
 * which takes more processor time than running it: a third of what a snapshot costs.
 */
export const PLANNED_ONCE = 'plan_cache_mode=force_generic_plan'

/** One real PostgreSQL for the whole suite, on a free port, gone afterwards. Its URL names no database. */
export async function startTestPostgres(more: string[] = []): Promise<{ url: string; stop: () => Promise<void> }> {
  await removeLeftClusters(MEMORY_DISK).catch(() => {})
  const folder = await mkdtemp(join(await diskForCopies(), CLUSTERS))
  await chmod(folder, 0o755) // as root, the server runs as its own user and has to reach its folder
  const server = await startPostgres({
    folder: join(folder, 'postgres'),
    password: PASSWORD,
    logFile: RECORDED ?? KEPT_LOG ?? join(folder, 'postgres.log'),
    settings: [...SETTINGS, ...more, ...(RECORDED === undefined ? [] : RECORDING)],
    attributes: 'createdb',
    progress: silent,
  })
  const url = server.url.replace(/\/[^/]*$/, '')
  const admin = connect(server.url, { max: 1 })
  await admin.unsafe(`create database ${TEMPLATE}`)
  // Thousands of connections are opened, and each pays for this on both sides.
  await admin.unsafe(`set scram_iterations = 1; alter role ${DATABASE} password '${PASSWORD}'`)
  await admin.end()
  const sql = connect(`${url}/${TEMPLATE}`, { max: 2 })
  await migrate(sql)
  await sql.end()
  // A new connection writes down what all connections load first. Copies of the database then have it too.
  const next = connect(`${url}/${TEMPLATE}`, { max: 1 })
  await next`select 1`
  await next.end()
  return {
    url,
    stop: async () => {
      await server[Symbol.asyncDispose]()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** In memory where the system has a disk there: copying a database then takes a fraction of the processor time. */
export async function diskForCopies(): Promise<string> {
  const disk = await statfs(MEMORY_DISK).catch(() => undefined)
  return disk && disk.bavail * disk.bsize >= ENOUGH_BYTES && freemem() >= ENOUGH_BYTES ? MEMORY_DISK : tmpdir()
}
