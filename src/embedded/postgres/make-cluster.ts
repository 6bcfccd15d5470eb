import { randomBytes } from 'node:crypto'
import { chown, mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { serverEnvironment } from '../process/environment.ts'
import { run } from '../process/run-program.ts'
import { POSTGRES_MAJOR } from './programs.ts'
import { createRoleSql, DATABASE, type RoleAttributes, SUPERUSER } from './roles.ts'
import type { ServerUser } from './server-user.ts'

type Options = { programs: string; folder: string; user: ServerUser; password: string; attributes?: RoleAttributes }

/**
 * Makes a new cluster with our database and the role that owns it. The superuser has no password, so no one can log
 * in as it: what needs it runs here, in single-user mode, before the server ever listens.
 */
export async function makeCluster({ programs, folder, user, password, attributes }: Options): Promise<void> {
  // A half-made cluster must never be mistaken for a whole one: it gets its name when it is done.
  const fresh = `${folder}.new`
  const passwordFile = `${folder}.password`
  const failed = (output: string) =>
    new OperatorError(`PostgreSQL ${POSTGRES_MAJOR} could not make its folder ${folder}: ${output.slice(-400)}`)
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { recursive: true, mode: 0o700 })
  await writeFile(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 })
  try {
    if (user) for (const path of [fresh, passwordFile]) await chown(path, user.uid, user.gid)
    const as = { ...user, cwd: '/', env: serverEnvironment() }
    const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8']
    const access = [`--username=${SUPERUSER}`, `--pwfile=${passwordFile}`, '--auth=scram-sha-256']
    const made = await run(join(programs, 'initdb'), [`--pgdata=${fresh}`, ...access, ...locale], as)
    if (!made.ok) throw failed(made.output)
    // In the template: our database gets the rights that are given here.
    const single = ['--single', '-D', fresh, '-c', 'exit_on_error=on', 'template1']
    const prepared = await run(join(programs, 'postgres'), single, { ...as, input: statements(password, attributes) })
    if (!prepared.ok) throw failed(prepared.output)
    await rename(fresh, folder)
  } finally {
    await rm(passwordFile, { force: true })
  }
}

/** What a backup of the running database calls. */
const BACKUP_FUNCTIONS = ['pg_backup_start(text, boolean)', 'pg_backup_stop(boolean)']

/** One statement a line, as single-user mode reads them. */
function statements(password: string, attributes?: RoleAttributes): string {
  return [
    createRoleSql(password, attributes),
    // Tests empty all tables without their triggers.
    ...(attributes === 'createdb' ? [`grant set on parameter session_replication_role to ${DATABASE};`] : []),
    ...BACKUP_FUNCTIONS.map((name) => `grant execute on function ${name} to ${DATABASE};`),
    `create database ${DATABASE} owner ${DATABASE};`,
    `alter role ${SUPERUSER} password null;`,
    '',
  ].join('\n')
}
