import { createWriteStream } from 'node:fs'
import { readFile, rm, stat } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { freePort, LOOPBACK, portIsFree } from '../../lib/ports.ts'
import type { Progress } from '../../lib/process/progress.ts'
import { type Child, type Exit, startChild } from '../process/child.ts'
import { serverEnvironment } from '../process/environment.ts'
import { BrokenOff } from '../process/exit-fault.ts'
import { exitText, lastWords } from '../process/exit-text.ts'
import { endProcess, isAlive, runsOn } from '../process/process-identity.ts'
import { changePassword } from './change-password.ts'
import { tracedPid, traceOf } from './cluster-folder.ts'
import { makeCluster } from './make-cluster.ts'
import { POSTGRES_MAJOR, postgresPrograms } from './programs.ts'
import { checkPassword, DATABASE, type RoleAttributes } from './roles.ts'
import { reachableFolder, reachablePrograms, type ServerUser, serverUser } from './server-user.ts'

const READY = 'database system is ready to accept connections'
/** What it says while it makes up for a crash, which takes as long as there was much written. */
const RECOVERY =
  /database system was interrupted|automatic recovery in progress|redo (starts|in progress)|elapsed time:/
const START_TIMEOUT_MS = 60_000
/** Fast shutdown; then without a checkpoint, which the next start makes up for. */
const STOP = [
  ['SIGINT', 4_000],
  ['SIGQUIT', 1_000],
] as const
const ORPHAN_GRACE_MS = 30_000

export type EmbeddedPostgres = AsyncDisposable & {
  url: string
  folder: string
  port: number
  /** Resolves when the server has ended, stopped by us or not. */
  exited: Promise<Exit>
  stop(): Promise<void>
}
export type PostgresOptions = {
  /** The cluster's folder, made on the first start. */
  folder: string
  /** Where to put a new cluster is ours to choose when the folder cannot be reached; an existing one stays. */
  known?: boolean
  port?: number
  /** How long a start may take that recovers from no crash. */
  startTimeoutMs?: number
  /** Only that port will do: others connect to it already. */
  fixedPort?: boolean
  password: string
  /** The password that the role still has, where another takes its place. */
  formerPassword?: string
  logFile: string
  /** Where programs are kept that cannot be made ready where they were installed. */
  cacheDir?: string
  /** Further server settings, `name=value`. */
  settings?: string[]
  /** Rights of our role besides its own database: for tests and benchmarks. */
  attributes?: RoleAttributes
  progress: Progress
}

/**
 * The PostgreSQL server of this installation: made on the first start, on loopback, ended when we end.
 * @throws OperatorError with one sentence when its folder or its programs are damaged.
 */
export async function startPostgres(options: PostgresOptions): Promise<EmbeddedPostgres> {
  const { password, progress, attributes } = options
  const { native, version } = await postgresPrograms(options.cacheDir)
  const user = await serverUser(progress)
  const programs = join(await reachablePrograms(user, native, version), 'bin')
  const folder = options.known ? options.folder : await reachableFolder(user, options.folder, password, progress)
  if (await stat(folder).catch(() => undefined)) await checkCluster(folder, user)
  else {
    progress.say(`Making a PostgreSQL ${POSTGRES_MAJOR} database in ${folder}`)
    await makeCluster({ programs, folder, user, password, attributes })
  }
  await endOrphan(folder)
  const startOn = async (port: number) => ({
    port,
    server: await startServer(join(programs, 'postgres'), folder, port, user, options),
  })
  const { port, server } = await startOn(await choosePort(options)).catch(async (error) => {
    // A copy of the data folder, started at the same moment, takes the port that both remember.
    if (options.fixedPort || !(error instanceof PortTakenError)) throw error
    return startOn(await freePort())
  })
  const urlWith = (secret: string) => `postgres://${DATABASE}:${encodeURIComponent(secret)}@${LOOPBACK}:${port}`
  const url = urlWith(password)
  try {
    if (options.formerPassword !== undefined) await changePassword(urlWith(options.formerPassword), password)
    await checkPassword(url)
  } catch (cause) {
    await server.stop()
    await mustNotBeKilled(server)
    throw new OperatorError(
      `The database in ${folder} does not let us in (${(cause as Error).message}). secrets.json in the data folder must be the one it was made with.`,
      { cause },
    )
  }
  const { exited, stop } = server
  return { url: `${url}/${DATABASE}`, folder, port, exited, stop, [Symbol.asyncDispose]: stop }
}

/** @throws BrokenOff when the server was killed: its folder is not at fault, and another start recovers it */
async function mustNotBeKilled({ exited }: Child): Promise<void> {
  const exit = await exited
  if (exit.signal !== undefined) throw new BrokenOff(exitText(exit))
}

class PortTakenError extends OperatorError {}

async function choosePort({ port, fixedPort }: PostgresOptions): Promise<number> {
  if (port && (await portIsFree(port))) return port
  if (fixedPort) throw new OperatorError(`Port ${port}, on which PostgreSQL is expected, is taken.`)
  return freePort()
}

async function checkCluster(folder: string, user: ServerUser): Promise<void> {
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => undefined)
  if (version?.trim() !== POSTGRES_MAJOR) {
    throw new OperatorError(
      `${folder} is not a whole PostgreSQL ${POSTGRES_MAJOR} database (its PG_VERSION says ${version?.trim() || 'nothing'}). Restore it from a backup, or move it away to start with an empty one.`,
    )
  }
  const owner = (await stat(folder)).uid
  if (owner === (user?.uid ?? process.getuid?.())) return
  throw new OperatorError(
    `The database in ${folder} belongs to another user of this machine (id ${owner}). Run Pricetape as you did before, or chown the folder.`,
  )
}

/** Ends a server of an earlier start of ours, and clears the trace of one whose process id someone else has now. */
async function endOrphan(folder: string): Promise<void> {
  const pid = await tracedPid(folder)
  if (!pid || !isAlive(pid)) return
  const isServer = await runsOn(pid, folder)
  if (!isServer) await rm(traceOf(folder), { force: true })
  else if (!(await endProcess(pid, 'SIGINT', ORPHAN_GRACE_MS)))
    throw new OperatorError(`A PostgreSQL server of an earlier start (process ${pid}) does not stop. End it by hand.`)
}

async function startServer(program: string, folder: string, port: number, user: ServerUser, options: PostgresOptions) {
  const settings = [`listen_addresses=${LOOPBACK}`, 'unix_socket_directories=', ...(options.settings ?? [])]
  const log = createWriteStream(options.logFile, { flags: 'w', mode: 0o600 })
  log.on('error', () => {})
  let ready = () => {}
  const isReady = new Promise<true>((resolve) => {
    ready = () => resolve(true)
  })
  let late = () => {}
  const isLate = new Promise<undefined>((resolve) => {
    late = () => resolve(undefined)
  })
  const timer = setTimeout(late, options.startTimeoutMs ?? START_TIMEOUT_MS).unref()
  let recovers = false
  const onRecovery = (line: string) => {
    clearTimeout(timer)
    if (!recovers) options.progress.say('PostgreSQL is recovering from a crash …')
    else options.progress.passing(`  ${line.replace(/^.*?LOG: */, '')}`)
    recovers = true
  }
  const args = ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server: Child = await startChild(program, args, {
    ...user,
    cwd: dirname(folder),
    env: serverEnvironment(),
    stop: STOP,
    onLine: (line) => {
      log.write(`${line}\n`)
      if (RECOVERY.test(line)) onRecovery(line)
      if (line.includes(READY)) ready()
    },
  })
  const started = await Promise.race([isReady, server.exited, isLate])
  clearTimeout(timer)
  if (started === true) return server
  if (started) await mustNotBeKilled(server)
  await server.stop()
  const reason = lastWords(server.lines) ?? 'no reason given'
  const Fault = /TCP\/IP socket/.test(reason) ? PortTakenError : OperatorError
  const leftover = /could not create file "(base\/[^"]*)": File exists/.exec(reason)?.[1]
  const remedy =
    leftover && (await stat(join(folder, `${leftover}_init`)).catch(() => undefined))
      ? `Move the file ${join(folder, leftover)} away and start again: it belongs to a table that is not meant to outlive a crash, so nothing is lost`
      : 'restore the folder from a backup, or move it away to start with an empty one'
  throw new Fault(
    `PostgreSQL does not start on ${folder}: ${reason.replace(/^.*?(FATAL|PANIC|ERROR): */, '')}. Its log is ${options.logFile}; ${remedy}.`,
  )
}
