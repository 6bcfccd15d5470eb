import { spawn } from 'node:child_process'
import { constants } from 'node:fs'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { minimalEnvironment, programFolders } from './environment.ts'
import { endWithUs } from './orphan-watcher.ts'

export type Ran = { ok: boolean; output: string }

type RunOptions = {
  env?: Record<string, string | undefined>
  cwd?: string
  timeoutMs?: number
  uid?: number
  gid?: number
  /** What it reads from its standard input. */
  input?: string
  onLine?: (line: string) => void
}

const KEPT_LINES = 60

/** Runs a program to its end and returns what it printed; a program that is missing or too slow is a failure, not an exception. */
export function run(command: string, args: string[], options: RunOptions = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      env: options.env ?? minimalEnvironment(),
      cwd: options.cwd,
      uid: options.uid,
      gid: options.gid,
      timeout: options.timeoutMs,
      killSignal: 'SIGKILL',
      stdio: [options.input === undefined ? 'ignore' : 'pipe', 'pipe', 'pipe'],
    })
    child.stdin?.on('error', () => {})
    child.stdin?.end(options.input)
    // A stop in the middle of a long build or download must not leave it behind.
    const release = child.pid === undefined ? () => {} : endWithUs(child.pid, 'SIGTERM')
    child.once('exit', release)
    const lines: string[] = []
    for (const stream of [child.stdout, child.stderr]) {
      if (stream)
        createInterface({ input: stream }).on('line', (line) => {
          lines.push(line)
          if (lines.length > KEPT_LINES) lines.shift()
          options.onLine?.(line)
        })
    }
    child.once('error', (error) => resolve({ ok: false, output: error.message }))
    child.once('close', (code) => resolve({ ok: code === 0, output: lines.join('\n') }))
  })
}

/** Returns the full path of a program on PATH, or in a folder where it usually is. */
export async function findProgram(name: string, ...elsewhere: string[]): Promise<string | undefined> {
  for (const folder of [...programFolders(), ...elsewhere]) {
    const path = join(folder, name)
    if (await isExecutable(path)) return path
  }
  return undefined
}

export const isExecutable = (path: string): Promise<boolean> =>
  access(path, constants.X_OK).then(
    () => true,
    () => false,
  )
