import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { run } from '../../ops/run.ts'
import { freePort, LOOPBACK } from '../../src/lib/ports.ts'
import { NO_SOURCES } from '../../test/support/installation.ts'
import { environment } from './environment.ts'
import { type Command, Service } from './service.ts'

export const CHECK_SECONDS = 10
export const POOL = 5
const API_NODES = 2
const WORKERS = 3

type Role = 'api' | 'worker'
type Process = { role: Role; env: Record<string, string>; service: Service }

/** Two API nodes and three workers, each replaced and killed by itself. */
export async function createInstallation(folder: string, temporalAddress: string) {
  const shared = environment({
    TEMPORAL_ADDRESS: temporalAddress,
    PRICETAPE_CHECK_INTERVAL: String(CHECK_SECONDS),
    PRICETAPE_DATABASE_POOL: String(POOL),
    PRICETAPE_SOURCES: NO_SOURCES,
  })
  const command = (code: string, role: Role | 'migrate', env: Record<string, string>): Command => ({
    program: process.execPath,
    args: [join(code, 'src/main.js'), '--role', role],
    env: { ...shared, ...env },
  })
  const processes: Process[] = []
  for (const [role, count] of [
    ['api', API_NODES],
    ['worker', WORKERS],
  ] as const)
    for (let n = 1; n <= count; n++) {
      const name = `${role} ${n}`
      const [port, probes] = [await freePort(), await freePort()]
      const data = join(folder, `${role}-${n}`)
      await mkdir(data)
      const env = { PORT: String(port), PRICETAPE_METRICS_PORT: String(probes), PRICETAPE_DATA_DIR: data }
      const path = role === 'api' ? '/readyz/reads' : '/readyz/work'
      const ready = async () => (await fetch(`http://${LOOPBACK}:${probes}${path}`)).ok
      processes.push({ role, env, service: new Service(name, { program: '', args: [] }, ready) })
    }
  const commandOf = ({ role, env }: Process, code: string, databaseUrl: string) =>
    command(code, role, { ...env, DATABASE_URL: databaseUrl })
  return {
    processes,
    commandOf,
    apiPorts: processes.filter(({ role }) => role === 'api').map(({ env }) => Number(env.PORT)),
    /** Migrations and the first key, as a job before the others. */
    migrate: (code: string, databaseUrl: string) => {
      const { program, args, env } = command(code, 'migrate', { DATABASE_URL: databaseUrl })
      return run(program, args, { env: env as NodeJS.ProcessEnv })
    },
    start: (code: string, databaseUrl: string) =>
      Promise.all(
        processes.map((item) => {
          item.service.command = commandOf(item, code, databaseUrl)
          return item.service.start()
        }),
      ),
  }
}
export type Installation = Awaited<ReturnType<typeof createInstallation>>
