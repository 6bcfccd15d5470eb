import { getEventListeners } from 'node:events'
import { getPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { LimitExceededError, TaskFailedError } from '../../../src/lib/isolation/errors.ts'
import { createIsolation } from '../../../src/lib/isolation/isolation.ts'
import { defineTask } from '../../../src/lib/isolation/task.ts'
import type * as tasks from './tasks.ts'

const task = <Name extends keyof typeof tasks>(name: Name) =>
  defineTask<(typeof tasks)[Name]>(import.meta.url, './tasks', name)

/** A process that the tests share: starting one takes half a second of processor time. */
const shared = createIsolation({ concurrency: 1, maxHeapMb: 100 })
afterAll(() => shared[Symbol.asyncDispose]())
const processId = () => shared.run(task('processId'), undefined)
const isThere = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

describe('a task on foreign bytes', () => {
  it('runs in another process, on bytes and plain data, without any environment', async () => {
    const input = { text: 'a\0b', bytes: new Uint8Array([0, 255]), at: new Date(0), list: [1, null] }
    expect(await shared.run(task('echo'), input)).toEqual(input)
    expect(await shared.run(task('sizeOf'), { bytes: new Uint8Array(5_000_000) })).toBe(5_000_000)
    expect(await shared.run(task('environment'), undefined)).toEqual({})
    const pid = await processId()
    expect(pid).not.toBe(process.pid)
    // All other work goes before it.
    expect(getPriority(pid)).toBe(5)
  })

  it('reports what it throws, and its process goes on', async () => {
    const before = await processId()
    const failed = await shared.run(task('fail'), 'this').catch((error) => error)
    expect(failed).toBeInstanceOf(TaskFailedError)
    expect(failed.message).toBe('cannot read this')
    expect(await processId()).toBe(before)
  })

  it.each([
    ['spins', 'spin', { timeoutMs: 300 }, 'time', 'it takes longer than 0.3 s to read'],
    [
      ...(['spins while the machine is given much time', 'spin', { timeoutMs: 60_000, cpuMs: 300 }, 'time'] as const),
      'it takes more than 0.3 s of processor time to read',
    ],
    ['fills memory', 'fillBuffers', { maxMemoryMb: 300 }, 'memory', 'it takes too much memory to read'],
    [
      'ends its process',
      'endProcess',
      {},
      'crash',
      'the process that read it ended before it was done (ended with status 3)',
    ],
    ['returns too much', 'textOf', { maxResultMb: 1 }, 'size', 'what is read from it is larger than 1 MB'],
    ['gives too much', 'parts', { maxStreamMb: 1 }, 'size', 'what is read from it is larger than 1 MB'],
    ['gives what no one takes', 'parts', {}, 'size', 'what is read from it is larger than 0 MB'],
  ] as const)('that %s is stopped, and the next task runs', async (_what, name, limits, reason, message) => {
    const before = await processId()
    const stopped = await shared.run(task(name as 'textOf'), 2_000_000, limits).catch((error) => error)
    expect(stopped).toBeInstanceOf(LimitExceededError)
    expect([stopped.reason, stopped.message]).toEqual([reason, message])
    expect(await shared.run(task('echo'), 'next')).toBe('next')
    await expect.poll(() => isThere(before)).toBe(false)
  })

  it('gives parts of its result in their order, and waits while they are taken', async () => {
    const taken: (number | undefined)[] = []
    let goOn = () => {}
    const onChunk = (bytes: Uint8Array) => {
      taken.push(bytes[0])
      return taken.length === 1 ? new Promise<void>((done) => { goOn = done }) : undefined // biome-ignore format: one thought
    }
    const running = shared.run(task('parts'), 3, { maxStreamMb: 3, onChunk })
    await expect.poll(() => taken).toEqual([0])
    await sleep(100)
    expect(taken).toEqual([0])
    goOn()
    expect(await running).toBe(3)
    expect(taken).toEqual([0, 1, 2])
  })

  it('fails as the one who takes its parts fails', async () => {
    const full = new Error('the disk is full')
    for (const onChunk of [() => Promise.reject(full), () => { throw full }]) // biome-ignore format: one thought
      await expect(shared.run(task('parts'), 2, { maxStreamMb: 3, onChunk })).rejects.toBe(full)
    expect(await shared.run(task('echo'), 'next')).toBe('next')
  })

  it('ends when its signal aborts, in line and at work', async () => {
    const abort = new AbortController()
    const [atWork, inLine] = ['first', 'second'].map((_) =>
      shared.run(task('spin'), undefined, { signal: abort.signal }).catch((error) => error),
    )
    setTimeout(() => abort.abort(new Error('shut down')), 100)
    expect([await atWork, await inLine].map((error) => error.message)).toEqual(['shut down', 'shut down'])
    expect(await shared.run(task('echo'), 1)).toBe(1)
    await expect(shared.run(task('echo'), 1, { signal: abort.signal })).rejects.toThrow('shut down')
  })

  it('leaves nothing behind on a signal that outlives it', async () => {
    const { signal } = new AbortController()
    for (let run = 0; run < 3; run++) await shared.run(task('echo'), run, { signal })
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })
})

it('a pool runs as many tasks beside each other as it is allowed', async () => {
  const isolation = createIsolation({ concurrency: 2 })
  const ids = await Promise.all([1, 2, 3, 4].map(() => isolation.run(task('slowProcessId'), 100)))
  expect(new Set(ids).size).toBe(2)
  await isolation[Symbol.asyncDispose]()
})

it('a pool ends a process after its number of tasks', async () => {
  const isolation = createIsolation({ concurrency: 1, tasksPerProcess: 2 })
  const ids = []
  for (let run = 0; run < 3; run++) ids.push(await isolation.run(task('processId'), undefined))
  expect([ids[0] === ids[1], ids[1] === ids[2]]).toEqual([true, false])
  await isolation[Symbol.asyncDispose]()
})

it('a pool leaves no process behind when it is disposed of, and refuses more work', async () => {
  const isolation = createIsolation({ concurrency: 1 })
  const pid = await isolation.run(task('processId'), undefined)
  const atWork = isolation.run(task('spin'), undefined).catch((error) => error)
  const inLine = isolation.run(task('echo'), 1).catch((error) => error)
  await isolation[Symbol.asyncDispose]()
  expect(await atWork).toBeInstanceOf(Error)
  expect(await inLine).toMatchObject({ message: 'the processes for foreign bytes are shut down' })
  expect(isThere(pid)).toBe(false)
  await expect(isolation.run(task('echo'), 1)).rejects.toThrow('the processes for foreign bytes are shut down')
})
