import { createIsolation, type Isolation } from '../../src/lib/isolation/isolation.ts'

const MINUTES_MS = 60_000

/**
 * Where foreign bytes are read in all test files of a process: a reader costs a second of processor time until it has
 * loaded what it needs. An idle one keeps no one from ending, and ends with the process that started it.
 */
export const isolation: Isolation = createIsolation({ concurrency: 1, idleMs: 10 * MINUTES_MS, tasksPerProcess: 2_000 })

/** The same for a server of a test, which ends its readers when it is closed. */
export const sharedReaders = (): Isolation => ({ run: isolation.run, [Symbol.asyncDispose]: async () => {} })
