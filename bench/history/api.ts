import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '../../src/lib/ports.ts'

const START_TIMEOUT_MS = 90_000
const COMPILED = 'dist/src/main.js'

/** What the API is started from: compiled JavaScript where `npm run build` has made it. */
export const API_CODE: string[] = existsSync(COMPILED) ? [COMPILED] : ['--import', 'tsx', 'src/main.ts']

export type Api = Awaited<ReturnType<typeof startApi>>

/** Starts an API process as production does, on this database and without a Temporal server. */
export async function startApi(databaseUrl: string) {
  const port = await freePort()
  const env = {
    ...process.env,
    NODE_ENV: 'production',
    NODE_OPTIONS: '',
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    PORT: String(port),
    LOG_LEVEL: 'warn',
  }
  const child = spawn(process.execPath, [...API_CODE, '--role', 'api'], {
    env,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  const ended = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  const until = performance.now() + START_TIMEOUT_MS
  while (!(await fetch(`${url}/readyz/reads`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() > until) throw new Error('the API did not start')
    await sleep(100)
  }
  return {
    url,
    port,
    pid: child.pid!,
    /** Resident memory in MB. */
    memory: async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1_024,
    stop: async () => {
      child.kill('SIGTERM')
      await ended
    },
  }
}
