import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { PermanentError } from '../errors.ts'
import { sha256 } from '../hash.ts'

/** SHA-256 of the files that patches/ changes, with every patch applied. */
const CORRECTED_FILES = {
  'src/connection.js': 'f308c21f6b152de19a64dab1c84504d01d5d3c7c2e4217cced666a1600285999',
  'src/index.js': '302f37fb1d937e43ce2a77098e1c52af7ae661af62c93d540fd4ddb836405b07',
  'src/query.js': '3438fd308b4684457d82c4baa653b4709859a8a90412d40f5b6f97894f974c33',
  'src/queue.js': '450ba3a60ddaeded2b5df7248040c94ed42d2d831ad81df34ec2a821aacc9372',
}

/**
 * A message for people where the database driver lacks the corrections of patches/, without which a lost connection can
 * end the process or hang it, and statements that never come again stay prepared.
 */
export async function driverProblem(folder = driverFolder()): Promise<string | undefined> {
  for (const [file, expected] of Object.entries(CORRECTED_FILES)) {
    const bytes = await readFile(join(folder, file)).catch(() => undefined)
    if (bytes && sha256(bytes) === expected) continue
    return `The database driver in ${folder} lacks the corrections in patches/. Run: npx patch-package`
  }
  return undefined
}

/** @throws PermanentError where the driver is not corrected */
export async function requireCorrectedDriver(): Promise<void> {
  const problem = await driverProblem()
  if (problem) throw new PermanentError(problem)
}

/** The package's folder: its entry for `require` is `cjs/src/index.js`. */
function driverFolder(): string {
  return join(dirname(createRequire(import.meta.url).resolve('postgres')), '..', '..')
}
