import { execFile } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { findProgram } from '../src/embedded/process/run-program.ts'

const exec = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 * 1024

export const ROOT = join(import.meta.dirname, '..')
/** Where what these scripts need is kept, for the next time. */
export const CACHE = join(process.env.PRICETAPE_CACHE_DIR ?? join(homedir(), '.cache/pricetape'), 'ops')

/** Runs a program to its end and returns what it printed. @throws with all it printed, where it failed */
export async function run(command: string, args: string[], options: { env?: NodeJS.ProcessEnv; cwd?: string } = {}) {
  try {
    const { stdout } = await exec(command, args, { maxBuffer: MAX_OUTPUT, cwd: ROOT, ...options })
    return stdout
  } catch (error) {
    const { stdout = '', stderr = '', message } = error as { stdout?: string; stderr?: string; message: string }
    throw new Error(`${[command, ...args].join(' ')}\n${stdout}${stderr}` || message, { cause: error })
  }
}

export const say = (line: string): void => void process.stdout.write(`${line}\n`)

/** The path of a program that Go installs, unless it is here already. */
export async function goProgram(name: string, module: string, folder = join(CACHE, 'bin')): Promise<string> {
  const found = await findProgram(name, folder)
  if (found) return found
  const go = await findProgram('go', '/usr/local/go/bin')
  if (!go) throw new Error(`${name} is needed, or Go to install it: go install ${module}`)
  say(`Installing ${name}: go install ${module}`)
  await run(go, ['install', module], { env: { ...process.env, GOBIN: folder } })
  return join(folder, name)
}
