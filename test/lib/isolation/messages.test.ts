import { PassThrough, Writable } from 'node:stream'
import { serialize } from 'node:v8'
import { describe, expect, it } from 'vitest'
import { readMessages, writeBytes, writeMessage } from '../../../src/lib/isolation/messages.ts'

/** Returns what a process writes, and a stream that takes it. */
function written() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      chunks.push(chunk)
      done()
    },
  })
  return { stream, bytes: () => Buffer.concat(chunks) }
}

/** Reads what arrives in these parts. */
function received(parts: Uint8Array[], limit: () => number = () => 1_000) {
  const messages: unknown[] = []
  let tooLarge = 0
  const stream = new PassThrough()
  readMessages(stream, { limit, onMessage: (message) => messages.push(message), onTooLarge: () => tooLarge++ })
  for (const part of parts) stream.emit('data', part)
  return { messages, tooLarge, listeners: stream.listenerCount('data') }
}

const framed = (value: unknown): Buffer => {
  const bytes = serialize(value)
  return Buffer.concat([Buffer.from([0, 0, bytes.length >> 8, bytes.length & 0xff]), bytes])
}

describe('a message between processes', () => {
  it('is its length in four bytes, the highest first, and its structured clone', () => {
    const { stream, bytes } = written()
    const message = { kind: 'done' as const, output: { text: 'x'.repeat(300), bytes: new Uint8Array([1, 2]) } }
    writeMessage(stream, message)
    expect(bytes()).toEqual(framed(message))
  })

  it('says when the stream should keep no more', () => {
    expect(writeBytes(written().stream, Buffer.from('ab'))).toBe(true)
    const full = new Writable({ highWaterMark: 4, write: () => {} })
    expect(writeBytes(full, Buffer.from('ab'))).toBe(false)
  })

  it('arrives whole, in whatever parts its bytes arrive', () => {
    const messages = [{ kind: 'ready' }, 'x'.repeat(300), [1, 2, 3], null]
    const bytes = Buffer.concat(messages.map(framed))
    for (const size of [1, 2, 3, 4, 5, 7, 100, 301, bytes.length]) {
      const parts: Buffer[] = []
      for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size))
      expect(received(parts)).toEqual({ messages, tooLarge: 0, listeners: 1 })
    }
    expect(received([bytes.subarray(0, -1)]).messages).toEqual(messages.slice(0, -1))
  })

  it('is refused before it is read when it announces more than the limit, and nothing is read after it', () => {
    const [small, large] = [framed('a'), framed('b'.repeat(50))]
    const limit = small.length - 4
    const read = received([small, large.subarray(0, 4), large.subarray(4), small], () => limit)
    expect(read).toEqual({ messages: ['a'], tooLarge: 1, listeners: 0 })
    expect(received([Buffer.concat([large, small])], () => limit)).toEqual({ messages: [], tooLarge: 1, listeners: 0 })
    expect(received([small], () => limit - 1)).toEqual({ messages: [], tooLarge: 1, listeners: 0 })
  })

  it('is held to the limit of the moment in which it arrives', () => {
    const limits = [1_000, 1]
    expect(received([framed('a'), framed('b')], () => limits.shift()!)).toEqual({
      messages: ['a'],
      tooLarge: 1,
      listeners: 0,
    })
  })
})
