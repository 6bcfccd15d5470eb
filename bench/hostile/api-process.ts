import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../src/lib/ports.ts'

const START_TIMEOUT_MS = 90_000
const TICKS_PER_SECOND = 100

/** The API as it is run from the sources, and as production runs it after `npm run build`. */
export const SOURCES = ['--import', 'tsx', 'src/main.ts']
export const COMPILED = ['dist/src/main.js']

/** Preloaded, it reports what the process does for long to descriptor 3. */
const OBSERVE = fileURLToPath(new URL('observe.js', import.meta.url))

type Options = { program?: string[]; nodeOptions?: string[]; onObserved?: (line: string) => void }

/** A real API process: `--role api` on this database, without a Temporal server. */
export async function startApi(databaseUrl: string, dataDir: string, options: Options = {}) {
  const { program = SOURCES, nodeOptions = [], onObserved } = options
  const port = await freePort()
  const env = {
    ...process.env,
    DATABASE_URL: databaseUrl,
    TEMPORAL_ADDRESS: `127.0.0.1:${await freePort()}`,
    PRICETAPE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    PRICETAPE_DATA_DIR: dataDir,
    PORT: String(port),
    LOG_LEVEL: 'warn',
    NODE_OPTIONS: '',
  }
  const flags = [...nodeOptions, ...(onObserved ? ['--import', OBSERVE] : [])]
  const child = spawn(process.execPath, [...flags, ...program, '--role', 'api'], {
    env,
    stdio: ['ignore', 'pipe', 'pipe', onObserved ? 'pipe' : 'ignore'],
  })
  let output = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (data) => (output = (output + data).slice(-20_000)))
  if (onObserved) createInterface(child.stdio[3] as Readable).on('line', onObserved)
  const url = `http://127.0.0.1:${port}`
  const until = performance.now() + START_TIMEOUT_MS
  while (!(await fetch(`${url}/readyz/reads`).catch(() => undefined))?.ok) {
    if (child.exitCode !== null || performance.now() > until) throw new Error(`the API did not start: ${output}`)
    await sleep(200)
  }
  const ended = once(child, 'exit')
  return {
    url,
    port,
    pid: child.pid!,
    output: () => output,
    running: () => child.exitCode === null && child.signalCode === null,
    descriptors: async () => (await readdir(`/proc/${child.pid}/fd`)).length,
    /** Resident memory in MB. */
    memory: async () => Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${child.pid}/status`, 'utf8'))![1]) / 1_024,
    /** Processor time used so far, in seconds. */
    processor: async () => {
      const fields = (await readFile(`/proc/${child.pid}/stat`, 'utf8')).split(') ')[1]!.split(' ')
      return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
    },
    /** Ends it by SIGTERM. Returns how many seconds that took. */
    stop: async () => {
      const started = performance.now()
      child.kill('SIGTERM')
      await ended
      return (performance.now() - started) / 1_000
    },
  }
}
export type ApiProcess = Awaited<ReturnType<typeof startApi>>
