import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connect } from '../../src/lib/sql.ts'
import { compiled, type InstallationOptions, startInstallation } from './installation.ts'
import { startReceivers } from './receivers.ts'

type SetUpOptions = Omit<InstallationOptions, 'folder' | 'code' | 'cert' | 'env'> & {
  name: string
  /** Connections that the benchmark opens itself. */
  pool?: number
  /** Further environment of API and workers. `folder` is removed at the end. */
  env?: (folder: string) => Record<string, string>
}

/** Receivers, an installation that knows them, and the benchmark's own connections, in a folder of their own. */
export async function setUp({ name, pool = 2, env, ...wanted }: SetUpOptions) {
  const folder = await mkdtemp(join(tmpdir(), `pricetape-${name}-`))
  await chmod(folder, 0o755) // PostgreSQL runs as a user of its own
  const receivers = await startReceivers(folder)
  const code = await compiled()
  const installation = await startInstallation({ ...wanted, folder, code, cert: receivers.cert, env: env?.(folder) })
  const sql = connect(installation.database.url, { max: pool, name })
  return {
    folder,
    receivers,
    installation,
    sql,
    async stop(): Promise<void> {
      await sql.end()
      await installation.stop()
      receivers.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
