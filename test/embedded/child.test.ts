import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { identityOf } from '../../src/embedded/process/process-identity.ts'

const CHILD = join(import.meta.dirname, '../../src/embedded/process/child.ts')
const SCRIPT = `
  import { startChild } from ${JSON.stringify(CHILD)}
  const child = await startChild('sleep', ['600'])
  console.log(child.pid)`

it('What a killed start leaves behind ends, and its number is not kept to kill whatever has it later', async () => {
  const start = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', SCRIPT])
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
}, 60_000)
