import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { SECOND } from '../../lib/instant.ts'
import type { DerivedDocument } from '../schema.ts'
import { UnreadableDocument } from './errors.ts'
import type { DocumentContext } from './extract-document.ts'

/** A document that takes longer to read, or more memory, is refused. */
const READ_TIMEOUT_MS = 60 * SECOND
const READ_MEMORY_MB = 512

/** A thread does not inherit the hooks that let this process read TypeScript, so it installs its own. */
const TSX = join(dirname(createRequire(import.meta.url).resolve('tsx/package.json')), 'dist', 'esm', 'api', 'index.mjs')
const BOOTSTRAP = `import(${JSON.stringify(pathToFileURL(TSX).href)}).then(({ tsImport }) =>
  tsImport(${JSON.stringify(new URL('./worker.ts', import.meta.url).href)}, ${JSON.stringify(import.meta.url)}))`

type Answer = { derived?: DerivedDocument; problem?: string }

/**
 * Reads a document in a thread of its own, which ends when it takes too long or too much memory: parsers take more than
 * linear time for some pages, and a PDF is a program.
 */
export async function deriveIsolated(
  bytes: Uint8Array,
  context: DocumentContext,
  timeoutMs = READ_TIMEOUT_MS,
): Promise<DerivedDocument> {
  const worker = new Worker(BOOTSTRAP, {
    eval: true,
    workerData: { bytes, context },
    resourceLimits: { maxOldGenerationSizeMb: READ_MEMORY_MB },
  })
  let timer: NodeJS.Timeout | undefined
  try {
    const answer = await new Promise<Answer>((resolve, reject) => {
      timer = setTimeout(() => resolve({ problem: `it takes longer than ${timeoutMs / SECOND} s to read` }), timeoutMs)
      worker.once('message', resolve)
      worker.once('exit', () => reject(new Error('the thread that reads documents ended without an answer')))
      worker.once('error', (error: Error & { code?: string }) => {
        if (error.code === 'ERR_WORKER_OUT_OF_MEMORY') resolve({ problem: 'it takes too much memory to read' })
        else reject(error)
      })
    })
    if (!answer.derived) throw new UnreadableDocument(answer.problem ?? 'it cannot be read')
    return answer.derived
  } finally {
    clearTimeout(timer)
    await worker.terminate()
  }
}
