import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from './servers/ports.ts'

const ROOT = join(import.meta.dirname, '..', '..')
/** A list of sources that names none: what is started on it imports no history, which takes seconds. */
export const NO_SOURCES = join(ROOT, 'test/support/no-sources.json')
const READY_TIMEOUT_MS = 120_000

export type StartedInstallation = {
  process: ChildProcess
  /** What it printed so far, on both streams. */
  said(): string
  /** What it printed so far on one of them: its screen, or its log. */
  printed(on: 'stdout' | 'stderr'): string
  exited: Promise<number | null>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** A data folder of this test's own, with free ports, as a newcomer's shell would set them. */
export async function newcomer() {
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-journey-'))
  await chmod(folder, 0o711)
  const { PATH, HOME, PRICETAPE_TEMPORAL_BINARY, PRICETAPE_CACHE_DIR } = process.env
  const env: Record<string, string | undefined> = {
    PATH,
    HOME,
    PRICETAPE_TEMPORAL_BINARY,
    PRICETAPE_CACHE_DIR,
    LOG_LEVEL: 'error',
    // So wide that no sentence is broken where a test reads it.
    COLUMNS: '1000',
    PRICETAPE_OFFLINE: 'true',
    PRICETAPE_DATA_DIR: join(folder, 'data'),
    PORT: String(await freePort()),
    PRICETAPE_TEMPORAL_UI_PORT: String(await freePort()),
  }
  return { folder, data: join(folder, 'data'), env, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** What Node is given to run an entry point: `src/….ts` from the sources, `src/….js` as `npm run build` compiles it. */
export async function nodeArguments(entry: string): Promise<string[]> {
  if (entry.endsWith('.ts')) return ['--import', 'tsx', join(ROOT, entry)]
  if (!entry.startsWith('src/')) return [join(ROOT, entry)]
  // Not at the top: benchmarks run the sources, without vitest.
  const { shared } = await import('./shared.ts')
  return [join(await shared('/compiled'), entry)]
}

/** Runs an entry point of the product as a process of its own. */
export async function launch(
  entry: string,
  args: string[],
  env: Record<string, string | undefined>,
  cwd: string = ROOT,
): Promise<StartedInstallation> {
  const child = spawn(process.execPath, [...(await nodeArguments(entry)), ...args], { cwd, env })
  let said = ''
  const printed = { stdout: '', stderr: '' }
  for (const on of ['stdout', 'stderr'] as const)
    child[on].on('data', (chunk) => {
      said += String(chunk)
      printed[on] += String(chunk)
    })
  const exited = new Promise<number | null>((resolve) => child.once('close', resolve))
  return {
    process: child,
    said: () => said,
    printed: (on) => printed[on],
    exited,
    stop: (signal = 'SIGINT') => {
      child.kill(signal)
      return exited
    },
  }
}

/** `npm start`, until its screen is shown. */
export async function startUntilReady(
  env: Record<string, string | undefined>,
  args: string[] = [],
  entry = 'src/main.js',
): Promise<StartedInstallation> {
  const started = await launch(entry, args, env)
  const deadline = Date.now() + READY_TIMEOUT_MS
  while (!started.said().includes('Ctrl-C') && Date.now() < deadline && started.process.exitCode === null)
    await sleep(50)
  if (!started.said().includes('Ctrl-C')) throw new Error(`it did not become ready: ${started.said()}`)
  return started
}

/** Runs an operator's command to its end. */
export async function pricetape(env: Record<string, string | undefined>, ...args: string[]) {
  const started = await launch('src/cli/main.js', args, env)
  const code = await started.exited
  return { code, said: started.said() }
}

/** What a running installation says of itself. */
export const readRunningFile = async (data: string): Promise<{ databaseUrl: string; url: string }> =>
  JSON.parse(await readFile(join(data, 'running.json'), 'utf8'))

/** The processes of this machine whose command line or environment names a folder. */
export async function processesOn(folder: string): Promise<string[]> {
  if (process.platform !== 'linux') {
    const all = execFileSync('ps', ['-eo', 'pid,command'], { encoding: 'utf8' }).split('\n')
    return all.filter((line) => line.includes(folder))
  }
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const found = await Promise.all(
    pids.map(async (pid) => {
      const [command, environment] = await Promise.all(
        ['cmdline', 'environ'].map((file) => readFile(`/proc/${pid}/${file}`, 'utf8').catch(() => '')),
      )
      return `${command}${environment}`.includes(folder) ? [`${pid} ${command!.replaceAll('\0', ' ')}`] : []
    }),
  )
  return found.flat()
}

/** Waits until none is left, for as long as servers take to end in order. */
export async function untilGone(folder: string, withinMs = 15_000): Promise<string[]> {
  const deadline = Date.now() + withinMs
  for (;;) {
    const left = await processesOn(folder)
    if (left.length === 0 || Date.now() > deadline) return left
    await sleep(100)
  }
}
