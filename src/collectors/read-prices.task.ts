import { open } from 'node:fs/promises'
import type { SourceDeclaration } from '../catalog/schema.ts'
import { tally } from '../lib/collections.ts'
import type { Instant } from '../lib/instant.ts'
import type { Emit } from '../lib/isolation/task.ts'
import { asUnreadable, whyUnusable } from '../prices/plan/difference/usable-observation-rules.ts'
import { isListedName, type Observation, type UnreadablePrice } from '../prices/schema.ts'
import { stagedPrice, stagedUnreadable } from '../prices/staging/staged-line-rules.ts'
import type { PriceCollector, ReadContext } from './collector.ts'
import { collectorFor, type ParserResult, SnapshotError } from './index.ts'
import { type ObservationSink, startObservations } from './reading/observations.ts'

/** A snapshot in memory, or in a file. */
export type Body = Uint8Array | { file: string }
export type ReadInput = { source: SourceDeclaration; body: Body; at: Instant }

/** What is said of a snapshot beside its lines. */
export type PricesSummary = Omit<ParserResult, 'observations' | 'unreadable'> & {
  /** Prices that can be neither compared nor stored, by reason. */
  suppressed: Record<string, number>
}

const READ_BYTES = 64 * 1024
const FULL_BYTES = 64 * 1024
/** UTF-8 has at most this many bytes for a UTF-16 unit. */
const MOST_BYTES_PER_UNIT = 3

/**
 * Reads the prices of a snapshot and gives them as they are staged, part by part. What is wrong with the snapshot is a
 * problem, not a fault.
 */
export async function readPrices(
  { source, body, at }: ReadInput,
  emit: Emit,
): Promise<PricesSummary | { problem: string }> {
  const text = startStagedText()
  const collector = collectorFor(source.format)!
  const context = { source, at }
  try {
    const summary = collector.read
      ? await readParts({ ...collector, read: collector.read }, context, body, text, emit)
      : await readWhole(collector, context, body, text, emit)
    await emit(text.take())
    return { ...summary, suppressed: text.suppressed }
  } catch (error) {
    if (error instanceof SnapshotError) return { problem: error.message }
    throw error
  }
}

type StagedText = ReturnType<typeof startStagedText>
type Streaming = PriceCollector & Required<Pick<PriceCollector, 'read'>>
type Summary = Omit<PricesSummary, 'suppressed'>

async function readParts(
  { read }: Streaming,
  context: ReadContext,
  body: Body,
  text: StagedText,
  emit: Emit,
): Promise<Summary> {
  const observations = startObservations(text.sink)
  const reader = read(observations, context)
  for await (const part of partsOf(body)) {
    reader.push(part)
    if (text.isFull()) await emit(text.take())
  }
  reader.end()
  const { observations: _, unreadable: __, ...summary } = observations.done()
  return summary
}

async function readWhole(
  { parse }: PriceCollector,
  context: ReadContext,
  body: Body,
  text: StagedText,
  emit: Emit,
): Promise<Summary> {
  const parts: Uint8Array[] = []
  for await (const part of partsOf(body)) parts.push(part.slice())
  const { observations, unreadable = [], ...summary } = parse(Buffer.concat(parts), context)
  for (const observed of observations) {
    text.sink.price(observed)
    if (text.isFull()) await emit(text.take())
  }
  for (const listed of unreadable) text.sink.unreadable(listed)
  return summary
}

/** Collects lines as they are staged. */
function startStagedText() {
  // Written at once: as one growing string, a million lines keep the garbage collector busier than reading does.
  let bytes = Buffer.allocUnsafe(4 * FULL_BYTES)
  let length = 0
  const suppressed: Record<string, number> = {}
  function add(line: string) {
    const most = length + line.length * MOST_BYTES_PER_UNIT
    if (most > bytes.length) bytes = Buffer.concat([bytes.subarray(0, length)], 2 * most)
    length += bytes.write(line, length)
  }
  const unreadable = (listed: UnreadablePrice) => add(stagedUnreadable(listed))
  const price = (observed: Observation, rank?: string) => {
    const problem = whyUnusable(observed)
    if (!problem) {
      add(stagedPrice(observed, rank))
      return
    }
    tally(suppressed, problem)
    if (isListedName(observed.resource)) unreadable(asUnreadable(observed))
  }
  return {
    sink: { price, unreadable } satisfies ObservationSink,
    suppressed,
    isFull: () => length >= FULL_BYTES,
    take() {
      const taken = Buffer.from(bytes.subarray(0, length))
      length = 0
      return taken
    },
  }
}

async function* partsOf(body: Body): AsyncGenerator<Uint8Array> {
  if (body instanceof Uint8Array) {
    for (let at = 0; at < body.length; at += READ_BYTES) yield body.subarray(at, at + READ_BYTES)
    return
  }
  const file = await open(body.file)
  try {
    const buffer = Buffer.alloc(READ_BYTES)
    for (;;) {
      const { bytesRead } = await file.read(buffer, 0, READ_BYTES)
      if (bytesRead === 0) return
      yield buffer.subarray(0, bytesRead)
    }
  } finally {
    await file.close()
  }
}
