import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { LimitExceededError } from '../../../src/lib/isolation/errors.ts'
import { createIsolation, type Isolation, type IsolationOptions } from '../../../src/lib/isolation/isolation.ts'
import { defineTask } from '../../../src/lib/isolation/task.ts'
import { childrenOf } from '../../support/servers/processes.ts'
import type * as tasks from './tasks.ts'

const task = <Name extends keyof typeof tasks>(name: Name) =>
  defineTask<(typeof tasks)[Name]>(import.meta.url, './tasks', name)

const open: Isolation[] = []
const isolationWith = (options: IsolationOptions = {}) => {
  const isolation = createIsolation(options)
  open.push(isolation)
  return isolation
}
afterEach(async () => {
  for (const isolation of open.splice(0)) await isolation[Symbol.asyncDispose]()
})
/** A process that tests of a task share: starting one takes half a second of processor time. */
const shared = createIsolation({ concurrency: 1, maxHeapMb: 100 })
afterAll(() => shared[Symbol.asyncDispose]())

/** An ended process that its new parent has not yet taken note of is ended all the same. */
const isAlive = (pid: number) => {
  const state = spawnSync('ps', ['-o', 'stat=', '-p', String(pid)])
    .stdout.toString()
    .trim()
  return state !== '' && !state.startsWith('Z')
}

const WITHOUT_DESCRIPTORS = fileURLToPath(new URL('without-descriptors.ts', import.meta.url))

it('A process without a free file descriptor refuses tasks, and runs them once it has some', () => {
  const shell = 'ulimit -n 200 && exec "$0" --import tsx "$1"'
  const { stdout, stderr } = spawnSync('bash', ['-c', shell, process.execPath, WITHOUT_DESCRIPTORS])
  expect(stdout.toString(), stderr.toString()).toBe('refused refused done\n')
}, 60_000)

describe('a task on foreign bytes', () => {
  it.each([
    ['backtracks in a regular expression', 'backtrack', { timeoutMs: 300 }, 'time'],
    ['fills its heap', 'fillHeap', {}, 'memory'],
  ] as const)('that %s is stopped, and the next task runs', async (_what, name, limits, reason) => {
    const before = await shared.run(task('processId'), undefined)
    const stopped = await shared.run(task(name), undefined, limits).catch((error) => error)
    expect(stopped).toBeInstanceOf(LimitExceededError)
    expect(stopped.reason).toBe(reason)
    expect(await shared.run(task('echo'), 'next')).toBe('next')
    await expect.poll(() => isAlive(before)).toBe(false)
  })
})

/** Begins a task that starts a process, gives it up, and finds the process: that may take as long as its start. */
async function givenUp(isolation: Isolation): Promise<number> {
  const others = (await childrenOf(process.pid)).map(({ pid }) => pid)
  const abort = new AbortController()
  const begun = isolation.run(task('echo'), 1, { signal: abort.signal })
  abort.abort(new Error('too late'))
  await expect(begun).rejects.toThrow('too late')
  return (await childrenOf(process.pid)).find(({ pid }) => !others.includes(pid))!.pid
}

describe('the pool', () => {
  it('keeps a process that was starting when its first task was given up, and lets it work after all others', async () => {
    const isolation = isolationWith({ concurrency: 1 })
    const pid = await givenUp(isolation)
    expect(getPriority(pid)).toBe(getPriority())
    expect(await isolation.run(task('processId'), undefined)).toBe(pid)
    expect(getPriority(pid)).toBeGreaterThan(getPriority())
  })

  it('uses a process again, ends it after its number of tasks, and runs at most as many as it is allowed', async () => {
    const isolation = isolationWith({ concurrency: 2, tasksPerProcess: 3 })
    const ids = new Set<number>()
    for (let run = 0; run < 3; run++) ids.add(await isolation.run(task('processId'), undefined))
    expect(ids.size).toBe(1)
    expect(ids).not.toContain(await isolation.run(task('processId'), undefined))
    const together = await Promise.all(
      Array.from({ length: 6 }, async () => {
        await isolation.run(task('slow'), 50)
        return isolation.run(task('processId'), undefined)
      }),
    )
    expect(together).toHaveLength(6)
  })

  it('ends a process that was idle for long, and none that is at work again', async () => {
    const isolation = isolationWith({ concurrency: 1, idleMs: 400 })
    const pid = await isolation.run(task('processId'), undefined)
    expect(await isolation.run(task('slow'), 800)).toBe('done')
    expect(await isolation.run(task('processId'), undefined)).toBe(pid)
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false)
  })

  const startOrphan = async (argument: string): Promise<{ parent: ChildProcess; child: number }> => {
    const file = fileURLToPath(new URL('./orphan.ts', import.meta.url))
    const parent = spawn(process.execPath, ['--import', 'tsx', file, argument], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    const [text] = await once(parent.stdout!, 'data')
    return { parent, child: Number(String(text)) }
  }

  it('does not keep a process from ending, and ends with it', async () => {
    const { parent, child } = await startOrphan('idle')
    if (parent.exitCode === null) await once(parent, 'exit')
    expect(parent.exitCode).toBe(0)
    await expect.poll(() => isAlive(child)).toBe(false)
  })

  it('ends a task that spins though its parent was killed', async () => {
    const { parent, child } = await startOrphan('spin')
    await new Promise((done) => setTimeout(done, 300))
    expect(isAlive(child)).toBe(true)
    parent.kill('SIGKILL')
    await expect.poll(() => isAlive(child), { timeout: 5_000 }).toBe(false)
  })
})
