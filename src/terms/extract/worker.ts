import { parentPort, workerData } from 'node:worker_threads'
import { UnreadableDocument } from './errors.ts'
import { type DocumentContext, deriveHere } from './extract-document.ts'

/** What the thread is given, and what it answers. */
export type DocumentJob = { bytes: Uint8Array; context: DocumentContext }

const { bytes, context } = workerData as DocumentJob
try {
  parentPort?.postMessage({ derived: await deriveHere(bytes, context) })
} catch (error) {
  if (!(error instanceof UnreadableDocument)) throw error
  parentPort?.postMessage({ problem: error.message })
}
