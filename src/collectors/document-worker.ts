import { parentPort, workerData } from 'node:worker_threads'
import { SnapshotError } from './collector.ts'
import { type DocumentContext, deriveHere } from './document.ts'

/** What the thread is given, and what it answers. */
export type DocumentJob = { bytes: Uint8Array; context: DocumentContext }

const { bytes, context } = workerData as DocumentJob
try {
  parentPort?.postMessage({ derived: await deriveHere(bytes, context) })
} catch (error) {
  if (!(error instanceof SnapshotError)) throw error
  parentPort?.postMessage({ problem: error.message })
}
