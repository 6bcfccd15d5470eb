import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LimitExceededError, TaskFailedError } from '../lib/isolation/errors.ts'
import type { Isolation } from '../lib/isolation/isolation.ts'
import { defineTask } from '../lib/isolation/task.ts'
import { declaredFor, unreadable } from './parse-prices.ts'
import type { Body, PricesSummary, ReadInput } from './read-prices.task.ts'
import { limitsFor } from './reading-limits.ts'

const task = defineTask<typeof import('./read-prices.task.ts').readPrices>(
  import.meta.url,
  './read-prices.task',
  'readPrices',
)

/** What a snapshot says beside its lines, or one sentence saying why it has none; `fault` is set when the fault is ours. */
export type ReadSnapshot =
  | { kind: 'read'; prices: PricesSummary }
  | { kind: 'unreadable'; problem: string; fault?: TaskFailedError }

type Input = Omit<ReadInput, 'body'> & { bytes: Uint8Array }
type ReadOptions = {
  /** Takes a part of the lines as they are staged. */
  write: (part: Uint8Array) => Promise<void> | undefined
  signal?: AbortSignal
}

/** Reads a snapshot in a process of its own, within limits that grow with its size, and writes its lines as it goes. */
export async function readPrices(isolation: Isolation, input: Input, given: ReadOptions): Promise<ReadSnapshot> {
  const { bytes, ...rest } = input
  const { write: onChunk, signal } = given
  let failed: unknown
  const write = (part: Uint8Array) => {
    try {
      return onChunk(part)
    } catch (error) {
      failed = error
      throw error
    }
  }
  try {
    const read = await withBody(bytes, (body) =>
      isolation.run(
        task,
        { ...rest, body, source: declaredFor(input.source) },
        { ...limitsFor(bytes.length), signal, onChunk: write },
      ),
    )
    return 'problem' in read ? unreadable(read.problem) : { kind: 'read', prices: read }
  } catch (error) {
    if (failed) throw failed
    if (error instanceof LimitExceededError) return unreadable(`The answer was not read: ${error.message}.`)
    if (!(error instanceof TaskFailedError)) throw error
    return { ...unreadable(`The answer was not read, by a fault of Pricetape: ${error.message}.`), fault: error }
  }
}

/** A larger snapshot is given as a file: as a message it would be in memory twice more. */
const MAX_MESSAGE_BYTES = 4 * 1024 * 1024

async function withBody<T>(bytes: Uint8Array, work: (body: Body) => Promise<T>): Promise<T> {
  if (bytes.length <= MAX_MESSAGE_BYTES) return work(bytes)
  const folder = await mkdtemp(join(tmpdir(), 'pricetape-snapshot-'))
  try {
    const file = join(folder, 'snapshot')
    await writeFile(file, bytes, { mode: 0o600 })
    return await work({ file })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
