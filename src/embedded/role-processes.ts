import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { READERS } from '../lib/config.ts'
import { showsStacks } from '../lib/log.ts'
import { codeFile } from '../lib/process/code-file.ts'
import type { Progress } from '../lib/process/progress.ts'
import type { Role, RoleRefusal, RoleReport } from '../roles/role.ts'
import { type Exit, startChild } from './process/child.ts'
import { type Environment, networkEnvironment, pick } from './process/environment.ts'
import { faultOf } from './process/exit-fault.ts'
import type { Service } from './process/keep-running.ts'
import { isTrace } from './process/trace-lines.ts'

const MAIN = codeFile(import.meta.url, '../main')
/** More than a role needs for what it has in hand; see run-api and run-worker. */
const STOP = [['SIGTERM', 8_500]] as const
/** What `--role migrate` is called in messages. */
export const PREPARATION = 'The preparation of the database'
const NODE_SETTINGS = ['NODE_OPTIONS', 'NO_COLOR', 'FORCE_COLOR']

export type ChildRole = Exclude<Role, 'all'>
export type RoleProcess = Service & { pid: number; report: Promise<RoleReport>; exited: Promise<Exit> }

export type RoleOptions = {
  env: Environment
  args?: string[]
  progress: Progress
  /** The folder that keeps what a process printed before it ended by itself. */
  logs: string
}

/** The environment of a role's process: what every program needs, and those settings that it reads. */
export function roleEnvironment(role: ChildRole, env: Environment): Environment {
  const settings = Object.entries(READERS).flatMap(([name, readers]) => (readers.includes(role) ? [name] : []))
  // Further variables that every tool of Temporal's and OpenTelemetry's reads: TLS, keys and headers of one's own servers.
  const temporal = Object.keys(env).filter((name) => name.startsWith('TEMPORAL_') || name.startsWith('OTEL_'))
  return { ...networkEnvironment(env), ...pick(env, [...NODE_SETTINGS, ...settings, ...temporal]) }
}

/** Starts this program again as one role, in a process of its own. */
export async function startRole(
  role: ChildRole,
  { env, args = [], progress, logs }: RoleOptions,
): Promise<RoleProcess> {
  let reported: (report: RoleReport) => void = () => {}
  const report = new Promise<RoleReport>((resolve) => {
    reported = resolve
  })
  let refusal: Exit['refusal']
  const traced = showsStacks(env)
  const child = await startChild(process.execPath, [...process.execArgv, MAIN, '--role', role, ...args], {
    env: roleEnvironment(role, env),
    stop: STOP,
    // Without us its database and its Temporal end too: there is nothing it could still finish.
    orphanSignal: 'SIGKILL',
    onLine: progress.say,
    onErrorLine: (line) => {
      if (traced || !isTrace(line)) process.stderr.write(`${line}\n`)
    },
    onMessage: (message) => {
      const known = message as RoleReport | RoleRefusal
      if ('refusal' in known) refusal = known.refusal
      else reported(known)
    },
  })
  const { pid, stop } = child
  const exited = child.exited.then(async (exit) => {
    if (exit.code !== 0 && exit.lines.length > 0) await keepLastLines(join(logs, `${role}-ended.log`), exit)
    return { ...exit, refusal }
  })
  return { pid, exited, stop, report, ready: report.then(() => {}) }
}

/** Keeps what a process printed before it ended, for who looks for the fault. A full disk must not hide the end. */
const keepLastLines = (file: string, { lines }: Exit): Promise<void> =>
  writeFile(file, `${lines.join('\n')}\n`, { mode: 0o600 }).catch(() => {})

/** Runs the role that ends by itself. @throws the fault it ended with */
export async function runMigrate(
  options: RoleOptions,
  onStart: (stop: () => Promise<void>) => void,
): Promise<RoleReport> {
  const started = await startRole('migrate', options)
  onStart(started.stop)
  const exit = await started.exited
  if (exit.code === 0) return started.report
  throw faultOf(exit, PREPARATION)
}
