import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export const run = promisify(execFile)

/** Runs iproute2's `ip` in this process's network namespace and returns what it prints. */
export async function ip(command: string): Promise<string> {
  const { stdout } = await run('ip', command.split(' '))
  return stdout
}
