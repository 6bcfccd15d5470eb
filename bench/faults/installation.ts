import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { NO_SOURCES, readRunningFile, startUntilReady } from '../../test/support/installation.ts'
import { freePort } from '../../test/support/servers/ports.ts'
import { childrenOf } from '../../test/support/servers/processes.ts'
import { environment } from '../topology/environment.ts'

/** What can be killed. `store` is Temporal with its store deleted. */
export const PARTS = ['worker', 'api', 'temporal', 'store', 'postgres'] as const
export type Part = (typeof PARTS)[number]

/** How each part's process is known among the supervisor's children. */
const COMMANDS: Record<Exclude<Part, 'store'>, RegExp> = {
  worker: /node .*--role worker/,
  api: /node .*--role api/,
  temporal: /server start-dev/,
  postgres: /bin\/postgres -D/,
}
const CHECK_SECONDS = 5

/** Runs `npm start` on a data folder: its supervisor starts again whatever is killed here. */
export async function startInstallation(folder: string, temporalBinary: string, entry: string) {
  const data = join(folder, 'data')
  const port = await freePort()
  const env = environment({
    LOG_LEVEL: 'info',
    PORT: String(port),
    PRICETAPE_DATA_DIR: data,
    PRICETAPE_TEMPORAL_BINARY: temporalBinary,
    PRICETAPE_TEMPORAL_UI_PORT: String(await freePort()),
    PRICETAPE_SOURCES: NO_SOURCES,
    PRICETAPE_CHECK_INTERVAL: String(CHECK_SECONDS),
  })
  let started = await startUntilReady(env, [], entry)
  const { databaseUrl } = await readRunningFile(data)

  /** @returns whether it ran and was killed: a part that waits to be started again cannot be */
  async function kill(part: Part): Promise<boolean> {
    const name = part === 'store' ? 'temporal' : part
    const pid = (await childrenOf(started.process.pid!)).find(({ command }) => COMMANDS[name].test(command))?.pid
    if (pid === undefined) return false
    process.kill(pid, 'SIGKILL')
    if (part !== 'store') return true
    // The supervisor waits half a second before it starts Temporal again.
    while (isThere(pid)) await sleep(5)
    for (const end of ['', '-wal', '-shm']) await rm(join(data, `temporal.db${end}`), { force: true })
    return true
  }

  /** Kills `npm start` itself, and starts it again after a second, as a service manager does. */
  async function killSupervisor(): Promise<void> {
    started.process.kill('SIGKILL')
    for (let next: typeof started | undefined; !next; ) {
      await sleep(1_000)
      next = await startUntilReady(env, [], entry).catch(() => undefined)
      if (next) started = next
    }
  }

  return {
    killSupervisor,
    databaseUrl,
    url: `http://127.0.0.1:${port}`,
    kill,
    output: started.process.stderr!,
    said: started.said,
    stop: () => started.stop(),
  }
}
export type RunningInstallation = Awaited<ReturnType<typeof startInstallation>>

function isThere(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}
