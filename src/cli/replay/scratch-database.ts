import { randomBytes } from 'node:crypto'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startPostgres } from '../../embedded/postgres/start-postgres.ts'
import { readConfig } from '../../lib/config.ts'
import { migrate } from '../../lib/postgres/migrate.ts'
import { silent } from '../../lib/process/progress.ts'
import { connect, type Sql } from '../../lib/sql.ts'

/** What is thrown away need not survive a crash. */
const SETTINGS = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']

/** Runs `work` with a migrated database of its own that is gone afterwards. */
export async function withScratchDatabase<T>(work: (sql: Sql) => Promise<T>): Promise<T> {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-replay-'))
  await chmod(folder, 0o755)
  try {
    await using server = await startPostgres({
      folder: join(folder, 'postgres'),
      password: randomBytes(12).toString('hex'),
      logFile: join(folder, 'postgres.log'),
      cacheDir: readConfig(process.env).cacheDir,
      settings: SETTINGS,
      progress: silent,
    })
    const sql = connect(server.url)
    try {
      await migrate(sql)
      return await work(sql)
    } finally {
      await sql.end({ timeout: 5 })
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
