import { randomBytes } from 'node:crypto'
import { chmod, cp, mkdir, rename, rm, stat } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { sha256 } from '../../lib/hash.ts'
import type { Progress } from '../../lib/process/progress.ts'
import { run } from '../process/run-program.ts'

/** Where root puts what the database's user cannot reach elsewhere. */
const REACHABLE = '/var/lib/pricetape'
const NAME = 'postgres'

export type ServerUser = { uid: number; gid: number } | undefined

/** PostgreSQL refuses to run as root: then its server runs as the user `postgres`, made if there is none. */
export async function serverUser(progress: Progress): Promise<ServerUser> {
  if (process.getuid?.() !== 0) return undefined
  const known = await idsOf(NAME)
  if (known) return known
  progress.say(`PostgreSQL does not run as root: adding the user ${NAME} for it.`)
  await run('groupadd', ['--system', NAME])
  const { output } = await run('useradd', ['--system', '--gid', NAME, '--no-create-home', NAME])
  const made = await idsOf(NAME)
  if (made) return made
  throw new OperatorError(
    `PostgreSQL does not run as root, and the user ${NAME} could not be added (${output.trim()}). Run Pricetape as another user, or set DATABASE_URL.`,
  )
}

async function idsOf(name: string): Promise<ServerUser> {
  const [uid, gid] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : undefined
}

/** Whether that user gets to a path: a checkout under root's own home is closed to everyone else. */
async function reachableBy(user: ServerUser, path: string): Promise<boolean> {
  if (!user) return true
  const { ok } = await run('/bin/sh', ['-c', 'test -x "$1"', 'sh', path], { cwd: '/', ...user })
  return ok
}

/** The cluster's folder: the wanted one, or a reachable one named after the installation's own secret. */
export async function reachableFolder(
  user: ServerUser,
  wanted: string,
  secret: string,
  progress: Progress,
): Promise<string> {
  if (await reachableBy(user, dirname(wanted))) return wanted
  const folder = join(REACHABLE, `data-${sha256(`${wanted}\n${secret}`).slice(0, 12)}`, basename(wanted))
  progress.say(`The user ${NAME} cannot reach ${dirname(wanted)}: the database is kept in ${folder}.`)
  await makePublicFolder(REACHABLE)
  await makePublicFolder(dirname(folder))
  return folder
}

/** The folder of PostgreSQL's programs, copied once to a reachable place where it has to be. */
export async function reachablePrograms(user: ServerUser, native: string, version: string): Promise<string> {
  if (await reachableBy(user, join(native, 'bin', 'postgres'))) return native
  const target = join(REACHABLE, `postgresql-${version}`)
  if (await stat(target).catch(() => undefined)) return target
  const fresh = `${target}.${randomBytes(4).toString('hex')}`
  await makePublicFolder(REACHABLE)
  await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
  await run('chmod', ['-R', 'a+rX', fresh])
  await rename(fresh, target).catch(() => rm(fresh, { recursive: true, force: true }))
  return target
}

/** A folder everyone may go through, whatever our own umask is. */
async function makePublicFolder(path: string): Promise<void> {
  await mkdir(path, { recursive: true })
  await chmod(path, 0o755)
}
