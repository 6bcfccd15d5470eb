import { LimitExceeded, TaskFailed } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask, type Task } from '../../lib/isolation/task.ts'
import type { Sql } from '../../lib/sql.ts'
import { storableText } from '../../lib/text.ts'
import type { DocumentToRead } from './read-document.task.ts'
import type {
  Comparison,
  DocumentReading,
  EarlierTexts,
  Problem,
  TextPair,
  TextWithHistory,
  VersionsSideBySide,
} from './reading.ts'

/** What reading and recording documents needs. */
export type DocumentTools = { sql: Sql; isolation: Isolation }

type Tasks = typeof import('./read-document.task.ts')
const task = <Name extends keyof Tasks>(name: Name) =>
  defineTask<Tasks[Name]>(import.meta.url, './read-document.task', name)
const readTask = task('readDocument')
const compareTask = task('compareTexts')
const formerTask = task('compareWithFormer')
const sideBySideTask = task('compareSideBySide')

/** Processor time for a page of a megabyte, and for every megabyte more; a PDF is a program and gets all of it. */
const CPU_MS = 4_000
const CPU_MS_PER_MB = 4_000
const MAX_CPU_MS = 30_000
/** Real time, for a process that waits instead of working; on a busy machine processor time takes long to get. */
const TIMEOUT_MS = 120_000
const MAX_MEMORY_MB = 1_024
const MAX_RESULT_MB = 32
const MB = 1024 * 1024

/** Reads a document and compares it with the text in force, in a process that is killed when it takes too much. */
export function readDocument(isolation: Isolation, input: DocumentToRead): Promise<DocumentReading | Problem> {
  const { content, current } = input
  const size = 'bytes' in content ? content.bytes.byteLength : content.markdown.length
  const isPdf = 'bytes' in content && Buffer.from(content.bytes.subarray(0, 1024)).includes('%PDF-')
  return run(isolation, readTask, input, isPdf ? Number.POSITIVE_INFINITY : size + (current?.markdown.length ?? 0))
}

/** Compares two stored texts. */
export const compareTexts = (isolation: Isolation, pair: TextPair): Promise<Comparison | Problem> =>
  run(isolation, compareTask, pair, pair.before.markdown.length + pair.after.markdown.length)

/** Compares a new text with those that were in force before. */
export const compareWithFormer = (isolation: Isolation, texts: TextWithHistory): Promise<EarlierTexts | Problem> =>
  run(
    isolation,
    formerTask,
    texts,
    [texts.before, texts.after, ...texts.former].reduce((sum, { markdown }) => sum + markdown.length, 0),
  )

/** Compares two stored texts for a person who reads them beside each other. */
export const compareSideBySide = (isolation: Isolation, pair: TextPair): Promise<VersionsSideBySide | Problem> =>
  run(isolation, sideBySideTask, pair, pair.before.markdown.length + pair.after.markdown.length)

/** A limit, or a parser that fails on these bytes, is a problem of this document and of nothing else. */
async function run<Input, Output>(
  isolation: Isolation,
  task: Task<Input, Output | Problem>,
  input: Input,
  bytes: number,
): Promise<Output | Problem> {
  const cpuMs = Math.min(CPU_MS + CPU_MS_PER_MB * Math.max(0, bytes / MB - 1), MAX_CPU_MS)
  const limits = { cpuMs, timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB, maxResultMb: MAX_RESULT_MB }
  try {
    return await isolation.run(task, input, limits)
  } catch (error) {
    if (error instanceof LimitExceeded) return { problem: error.message }
    if (error instanceof TaskFailed) return { problem: storableText(`it cannot be read: ${error.message}`) }
    throw error
  }
}
