import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { getEventListeners, once } from 'node:events'
import { getPriority } from 'node:os'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { LimitExceededError, TaskFailedError } from '../../../src/lib/isolation/errors.ts'
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
  it('runs in another process, on bytes and plain data, without any environment', async () => {
    const input = { text: 'a\0b', bytes: new Uint8Array([0, 255]), at: new Date(0), list: [1, null] }
    expect(await shared.run(task('echo'), input)).toEqual(input)
    expect(await shared.run(task('sizeOf'), { bytes: new Uint8Array(5_000_000) })).toBe(5_000_000)
    expect(await shared.run(task('environment'), undefined)).toEqual({})
    expect(await shared.run(task('processId'), undefined)).not.toBe(process.pid)
  })

  it('reports what it throws, and its process goes on', async () => {
    const before = await shared.run(task('processId'), undefined)
    const failed = await shared.run(task('fail'), 'this').catch((error) => error)
    expect(failed).toBeInstanceOf(TaskFailedError)
    expect(failed.message).toBe('cannot read this')
    expect(await shared.run(task('processId'), undefined)).toBe(before)
  })

  it.each([
    ['spins', 'spin', { timeoutMs: 300 }, 'time'],
    ['backtracks in a regular expression', 'backtrack', { timeoutMs: 300 }, 'time'],
    ['spins while the machine is given much time', 'spin', { timeoutMs: 60_000, cpuMs: 300 }, 'time'],
    ['fills its heap', 'fillHeap', {}, 'memory'],
    ['fills memory outside its heap', 'fillBuffers', { maxMemoryMb: 300 }, 'memory'],
    ['ends its process', 'endProcess', {}, 'crash'],
    ['returns too much', 'textOf', { maxResultMb: 1 }, 'size'],
  ] as const)('that %s is stopped, and the next task runs', async (_what, name, limits, reason) => {
    const before = await shared.run(task('processId'), undefined)
    const stopped = await shared.run(task(name as 'textOf'), 2_000_000, limits).catch((error) => error)
    expect(stopped).toBeInstanceOf(LimitExceededError)
    expect(stopped.reason).toBe(reason)
    expect(await shared.run(task('echo'), 'next')).toBe('next')
    if (reason !== 'size') await expect.poll(() => isAlive(before)).toBe(false)
  })

  it('ends when its signal aborts, in line and at work', async () => {
    const abort = new AbortController()
    const [atWork, inLine] = ['first', 'second'].map((_) =>
      shared.run(task('spin'), undefined, { signal: abort.signal }).catch((error) => error),
    )
    setTimeout(() => abort.abort(new Error('shut down')), 100)
    expect([await atWork, await inLine].map((error) => error.message)).toEqual(['shut down', 'shut down'])
    expect(await shared.run(task('echo'), 1)).toBe(1)
  })

  it('leaves nothing behind on a signal that outlives it', async () => {
    const { signal } = new AbortController()
    for (let run = 0; run < 3; run++) await shared.run(task('echo'), run, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

/** Begins what starts a process, and finds that process. */
async function starting<Begun>(begin: () => Begun): Promise<{ begun: Begun; pid: number }> {
  const others = (await childrenOf(process.pid)).map(({ pid }) => pid)
  const begun = begin()
  const started = (await childrenOf(process.pid)).find(({ pid }) => !others.includes(pid))
  return { begun, pid: started!.pid }
}

describe('the pool', () => {
  it('starts a process like any other, and lets it work after all others', async () => {
    const isolation = isolationWith({ concurrency: 1 })
    const { begun, pid } = await starting(() => isolation.run(task('processId'), undefined))
    expect(getPriority(pid)).toBe(getPriority())
    expect(await begun).toBe(pid)
    expect(getPriority(pid)).toBeGreaterThan(getPriority())
  })

  it('keeps a process that was starting when its first task was given up', async () => {
    const isolation = isolationWith({ concurrency: 1 })
    const abort = new AbortController()
    const { begun, pid } = await starting(() =>
      isolation.run(task('echo'), 1, { signal: abort.signal }).catch((error: Error) => error),
    )
    abort.abort(new Error('too late'))
    expect(await begun).toMatchObject({ message: 'too late' })
    expect(await isolation.run(task('processId'), undefined)).toBe(pid)
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

  it('leaves no process behind when it is disposed of, and refuses more work', async () => {
    const isolation = isolationWith({ concurrency: 1 })
    const id = await isolation.run(task('processId'), undefined)
    const stopped = isolation.run(task('spin'), undefined).catch((error) => error)
    const inLine = isolation.run(task('echo'), 1).catch((error) => error)
    await isolation[Symbol.asyncDispose]()
    expect(await stopped).toBeInstanceOf(Error)
    expect(await inLine).toMatchObject({ message: expect.stringMatching(/shut down/) })
    expect(isAlive(id)).toBe(false)
    await expect(isolation.run(task('echo'), 1)).rejects.toThrow(/shut down/)
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
