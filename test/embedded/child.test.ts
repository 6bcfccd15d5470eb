import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { identityOf } from '../../src/embedded/process/process-identity.ts'

const PROCESS = join(import.meta.dirname, '../../src/embedded/process')
const KEPT = `
  import { startChild } from ${JSON.stringify(`${PROCESS}/child.ts`)}
  const child = await startChild('sleep', ['600'])
  console.log(child.pid)`
const TOOL = `
  import { run } from ${JSON.stringify(`${PROCESS}/run-program.ts`)}
  await run('/bin/sh', ['-c', 'echo $$; exec sleep 600'], { onLine: console.log })`

it.each([
  ['a server', KEPT],
  ['a tool such as initdb', TOOL],
])(
  'What a killed start leaves behind ends, and its number is not kept to kill whatever has it later: %s',
  async (_, script) => {
    const start = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', script])
    const [printed] = await once(start.stdout, 'data')
    const pid = Number(String(printed))
    const watchers = () =>
      execFileSync('ps', ['-eo', 'pid,args', '-ww'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
        .split('\n')
        .filter((line) => line.includes(`kill -s KILL ${pid}`))
    start.kill('SIGKILL')
    await vi.waitFor(async () => expect(await identityOf(pid)).toBeUndefined(), { timeout: 30_000, interval: 50 })
    // Less than the time after which it would kill a process that does not end.
    await vi.waitFor(async () => expect(watchers()).toEqual([]), { timeout: 12_000, interval: 100 })
  },
  60_000,
)
