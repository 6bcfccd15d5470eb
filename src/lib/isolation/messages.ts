import type { Readable, Writable } from 'node:stream'
import { deserialize, serialize } from 'node:v8'

/** A task to run. Bytes may be anywhere in `input`. */
export type TaskRequest = { kind: 'run'; url: string; name: string; input: unknown; maxResultBytes: number }
/** What the process is requested to do: load the module of a task, or run one. */
export type Request = { kind: 'load'; url: string } | TaskRequest
/** What it says: that it is ready, a result, or what went wrong. */
export type Reply =
  | { kind: 'ready' }
  | { kind: 'chunk'; bytes: Uint8Array }
  | { kind: 'done'; output: unknown }
  | { kind: 'too_large' }
  | { kind: 'failed'; message: string; stack?: string }

const LENGTH_BYTES = 4
/** The largest message either side sends: a snapshot of 256 MiB and what is said about it. */
export const MAX_MESSAGE_BYTES = 512 * 1024 * 1024

/** Writes one message: its length, then its structured clone. */
export function writeMessage(stream: Writable, message: Request | Reply): void {
  writeBytes(stream, serialize(message))
}

/** Returns false when the stream has more to send than it should keep. */
export function writeBytes(stream: Writable, bytes: Uint8Array): boolean {
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32BE(bytes.length)
  stream.write(length)
  return stream.write(bytes)
}

/**
 * Reads messages from a stream. One that announces more bytes than `limit()` allows is reported before it is read, and
 * nothing is read after it.
 */
export function readMessages<T>(
  stream: Readable,
  handlers: { limit: () => number; onMessage: (message: T) => void; onTooLarge: () => void },
): void {
  let chunks: Buffer[] = []
  let size = 0
  let wanted: number | undefined

  function take(length: number): Buffer {
    const all = chunks.length === 1 ? chunks[0]! : Buffer.concat(chunks)
    chunks = all.length > length ? [all.subarray(length)] : []
    size -= length
    return all.subarray(0, length)
  }

  function onData(chunk: Buffer) {
    chunks.push(chunk)
    size += chunk.length
    for (;;) {
      if (wanted === undefined) {
        if (size < LENGTH_BYTES) return
        wanted = take(LENGTH_BYTES).readUInt32BE()
        if (wanted > handlers.limit()) {
          stream.off('data', onData)
          return handlers.onTooLarge()
        }
      }
      if (size < wanted) return
      const message = deserialize(take(wanted)) as T
      wanted = undefined
      handlers.onMessage(message)
    }
  }
  stream.on('data', onData)
}
