import { createWriteStream } from 'node:fs'
import { chown, mkdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { connect } from '../../lib/sql.ts'
import { type Child, startChild } from '../process/child.ts'
import { freePort, LOOPBACK, portIsFree } from '../process/ports.ts'
import { commandOf, endProcess, isAlive } from '../process/process-identity.ts'
import type { Progress } from '../process/progress.ts'
import { run } from '../process/run-program.ts'
import { POSTGRES_MAJOR, postgresPrograms } from './programs.ts'
import { reachableFolder, reachablePrograms, type ServerUser, serverUser } from './server-user.ts'

const OWNER = 'pricetape'
const DATABASE = 'pricetape'
const READY = 'database system is ready to accept connections'
const START_TIMEOUT_MS = 60_000
const STOP_GRACE_MS = 30_000

export type EmbeddedPostgres = AsyncDisposable & {
  url: string
  folder: string
  port: number
  /** Settles when the server has ended, asked or not, with what it said. */
  ended: Promise<string>
}
type Options = {
  /** The cluster's folder, made on the first start. */
  folder: string
  /** Where to put a new cluster is ours to choose when the folder cannot be reached; an existing one stays. */
  known?: boolean
  port?: number
  password: string
  logFile: string
  /** Further server settings, `name=value`. */
  settings?: string[]
  progress: Progress
}

/**
 * The PostgreSQL server of this installation: made on the first start, on loopback, ended when we end.
 * @throws OperatorError with one sentence when its folder or its programs are damaged.
 */
export async function startPostgres(options: Options): Promise<EmbeddedPostgres> {
  const { native, version } = await postgresPrograms()
  const user = await serverUser(options.progress)
  const programs = join(await reachablePrograms(user, native, version), 'bin')
  const folder = options.known
    ? options.folder
    : await reachableFolder(user, options.folder, options.password, options.progress)
  if (await stat(folder).catch(() => undefined)) await checkCluster(folder, user)
  else await makeCluster(programs, folder, user, options)
  await endOrphan(folder)
  const port = options.port && (await portIsFree(options.port)) ? options.port : await freePort()
  const server = await startServer(join(programs, 'postgres'), folder, port, user, options)
  const url = `postgres://${OWNER}:${encodeURIComponent(options.password)}@${LOOPBACK}:${port}`
  try {
    await makeDatabase(url, folder)
  } catch (error) {
    await server.stop()
    throw error
  }
  return {
    url: `${url}/${DATABASE}`,
    folder,
    port,
    ended: server.exited.then((exit) => exit.said),
    [Symbol.asyncDispose]: () => server.stop(),
  }
}

async function makeCluster(programs: string, folder: string, user: ServerUser, options: Options): Promise<void> {
  options.progress.say(`Making a PostgreSQL ${POSTGRES_MAJOR} database in ${folder}`)
  // A half-made cluster must never be mistaken for a whole one: it gets its name when it is done.
  const fresh = `${folder}.new`
  const passwordFile = `${folder}.password`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, options.password, { mode: 0o600 })
  try {
    if (user) for (const path of [fresh, passwordFile]) await chown(path, user.uid, user.gid)
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const who = [`--username=${OWNER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    const args = [`--pgdata=${fresh}`, ...who, ...locale]
    const { ok, output } = await run(join(programs, 'initdb'), args, { ...user, cwd: '/', env: serverEnvironment() })
    if (!ok) throw new OperatorError(`PostgreSQL could not make its folder ${folder}: ${output.slice(-400)}`)
    await rename(fresh, folder)
  } finally {
    await rm(passwordFile, { force: true })
  }
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

/** Ends a server of an earlier start of ours, and clears the trace of one whose process id somebody else has now. */
async function endOrphan(folder: string): Promise<void> {
  const trace = join(folder, 'postmaster.pid')
  const pid = Number((await readFile(trace, 'utf8').catch(() => '')).split('\n')[0])
  if (!pid || !isAlive(pid)) return
  const isServer = (await commandOf(pid)).includes(folder)
  if (!isServer) await rm(trace, { force: true })
  else if (!(await endProcess(pid, 'SIGINT', STOP_GRACE_MS)))
    throw new OperatorError(`A PostgreSQL server of an earlier start (process ${pid}) does not stop. End it by hand.`)
}

async function startServer(program: string, folder: string, port: number, user: ServerUser, options: Options) {
  const settings = [`listen_addresses=${LOOPBACK}`, 'unix_socket_directories=', ...(options.settings ?? [])]
  const log = createWriteStream(options.logFile, { flags: 'w', mode: 0o600 })
  log.on('error', () => {})
  let ready = () => {}
  const isReady = new Promise<true>((resolve) => {
    ready = () => resolve(true)
  })
  const args = ['-D', folder, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
  const server: Child = await startChild(program, args, {
    ...user,
    cwd: dirname(folder),
    env: serverEnvironment(),
    stopSignal: 'SIGINT',
    graceMs: STOP_GRACE_MS,
    onLine: (line) => {
      log.write(`${line}\n`)
      if (line.includes(READY)) ready()
    },
  })
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, START_TIMEOUT_MS, undefined).unref())
  if ((await Promise.race([isReady, server.exited, late])) === true) return server
  await server.stop()
  const reason =
    server.lines.findLast((line) => /FATAL|PANIC|ERROR/.test(line)) ?? server.lines.at(-1) ?? 'no reason given'
  throw new OperatorError(
    `PostgreSQL does not start on ${folder}: ${reason.replace(/^.*?(FATAL|PANIC|ERROR): */, '')}. Its log is ${options.logFile}; restore the folder from a backup, or move it away to start with an empty one.`,
  )
}

async function makeDatabase(url: string, folder: string): Promise<void> {
  const admin = connect(`${url}/postgres`, { max: 1 })
  try {
    const known = await admin`select from pg_database where datname = ${DATABASE}`
    if (known.length === 0) await admin`create database ${admin(DATABASE)}`
  } catch (cause) {
    throw new OperatorError(
      `The database in ${folder} does not let us in (${(cause as Error).message}). secrets.json in the data folder must be the one it was made with.`,
      { cause },
    )
  } finally {
    await admin.end({ timeout: 1 })
  }
}

/** The server has no business with our settings. */
const serverEnvironment = () => ({ PATH: process.env.PATH, LC_ALL: 'C', TZ: 'UTC' })
