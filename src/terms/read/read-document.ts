import { promisify } from 'node:util'
import { deflateRaw } from 'node:zlib'
import { LimitExceededError, TaskFailedError } from '../../lib/isolation/errors.ts'
import type { Isolation } from '../../lib/isolation/isolation.ts'
import { defineTask, type Task } from '../../lib/isolation/task.ts'
import type { Sql } from '../../lib/sql.ts'
import { storableText } from '../../lib/text.ts'
import type { DeclarationAdvice } from '../compare/advice-rules.ts'
import type { FetchedBytes } from '../extract/extract-text.ts'
import type { ExtractedText } from '../schema.ts'
import type { DocumentInput } from './read-document.task.ts'
import type {
  Comparison,
  DocumentReading,
  EarlierTexts,
  Problem,
  TextPair,
  TextWithHistory,
  VersionsSideBySide,
} from './reading.ts'
import { cpuLimitOf } from './time-limit-rules.ts'

/** What reading and recording documents needs. */
export type DocumentTools = { sql: Sql; isolation: Isolation }

type Tasks = typeof import('./read-document.task.ts')
const task = <Name extends keyof Tasks>(name: Name) =>
  defineTask<Tasks[Name]>(import.meta.url, './read-document.task', name)
const readTask = task('readDocument')
const extractTask = task('extractPage')
const adviceTask = task('checkDeclaration')
const compareTask = task('compareTexts')
const formerTask = task('compareWithFormer')
const sideBySideTask = task('compareSideBySide')

/** Real time, for a process that waits instead of working; on a busy machine processor time takes long to get. */
const TIMEOUT_MS = 120_000
const MAX_MEMORY_MB = 1_024
const MAX_RESULT_MB = 32

/** Reads a document and compares it with the text in force, in a process that is killed when it takes too much. */
export function readDocument(isolation: Isolation, input: DocumentInput): Promise<DocumentReading | Problem> {
  const { content, current, pending } = input
  const texts = [
    'bytes' in content ? content.bytes : content.markdown,
    current?.markdown ?? '',
    pending?.markdown ?? '',
  ]
  return run(isolation, readTask, input, 'bytes' in content && isPdf(content) ? 'a PDF' : texts)
}

/** Reads the text of one page, for a replay that compares it later. */
export const extractPage = (isolation: Isolation, fetched: FetchedBytes): Promise<ExtractedText | Problem> =>
  run(isolation, extractTask, fetched, isPdf(fetched) ? 'a PDF' : [fetched.bytes])

/** Compares what a declaration finds on a page with the page's container. */
export const checkDeclaration = (isolation: Isolation, fetched: FetchedBytes): Promise<DeclarationAdvice | Problem> =>
  run(isolation, adviceTask, fetched, isPdf(fetched) ? 'a PDF' : [fetched.bytes, fetched.bytes])

const isPdf = ({ bytes }: FetchedBytes): boolean => Buffer.from(bytes.subarray(0, 1024)).includes('%PDF-')

/** Compares two stored texts. */
export const compareTexts = (isolation: Isolation, pair: TextPair): Promise<Comparison | Problem> =>
  run(isolation, compareTask, pair, [pair.before.markdown, pair.after.markdown])

/** Compares a new text with those that were in force before. */
export const compareWithFormer = (isolation: Isolation, texts: TextWithHistory): Promise<EarlierTexts | Problem> =>
  run(
    isolation,
    formerTask,
    texts,
    [texts.before, texts.after, ...texts.former].map(({ markdown }) => markdown),
  )

/** Compares two stored texts for a person who reads them beside each other. */
export const compareSideBySide = (isolation: Isolation, pair: TextPair): Promise<VersionsSideBySide | Problem> =>
  run(isolation, sideBySideTask, pair, [pair.before.markdown, pair.after.markdown])

/** A limit, or a parser that fails on these bytes, is a problem of this document and of nothing else. */
async function run<Input, Output>(
  isolation: Isolation,
  task: Task<Input, Output | Problem>,
  input: Input,
  texts: 'a PDF' | (string | Uint8Array)[],
): Promise<Output | Problem> {
  const cpuMs = texts === 'a PDF' ? cpuLimitOf(Number.POSITIVE_INFINITY, 0) : await cpuLimitFor(texts)
  const limits = { cpuMs, timeoutMs: TIMEOUT_MS, maxMemoryMb: MAX_MEMORY_MB, maxResultMb: MAX_RESULT_MB }
  try {
    return await isolation.run(task, input, limits)
  } catch (error) {
    if (error instanceof LimitExceededError) return { problem: error.message }
    if (error instanceof TaskFailedError) return { problem: storableText(`it cannot be read: ${error.message}`) }
    throw error
  }
}

const pack = promisify(deflateRaw)

async function cpuLimitFor(texts: (string | Uint8Array)[]): Promise<number> {
  const packed = await Promise.all(texts.map((text) => pack(text, { level: 1 })))
  return cpuLimitOf(sizeOf(texts), sizeOf(packed))
}

const sizeOf = (texts: (string | Uint8Array)[]) => texts.reduce((sum, { length }) => sum + length, 0)
