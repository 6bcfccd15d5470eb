import { SECOND } from '../lib/instant.ts'

const MB = 1024 * 1024
/** Reading is linear: a price list of 1 MB takes a tenth of a second, and is stopped before it takes five. */
const CPU_MS = 3 * SECOND
const CPU_MS_PER_MB = SECOND
/** A busy machine may take longer, for no fault of the source. */
const TIME_PER_CPU = 10
/** Node.js itself, and what JSON becomes as objects. */
const MEMORY_MB = 400
const MEMORY_PER_BYTE = 16
const MAX_MEMORY_MB = 3_072
const MAX_RESULT_MB = 384
/** Lines as they are staged repeat what a table says once, such as the name of a machine. */
const STREAM_MB = 64
const STREAM_PER_BYTE = 32

/** What reading a snapshot of a size may use. */
export function limitsFor(bytes: number) {
  const cpuMs = Math.round(CPU_MS + (bytes / MB) * CPU_MS_PER_MB)
  return {
    cpuMs,
    timeoutMs: cpuMs * TIME_PER_CPU,
    maxMemoryMb: Math.min(Math.round(MEMORY_MB + (bytes / MB) * MEMORY_PER_BYTE), MAX_MEMORY_MB),
    maxResultMb: MAX_RESULT_MB,
    maxStreamMb: STREAM_MB + (bytes / MB) * STREAM_PER_BYTE,
  }
}
