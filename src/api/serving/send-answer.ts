import type { FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { codingOf, encode } from './content-coding.ts'
import { contentName, etagOf, isKnown } from './etag-rules.ts'

export const JSON_TYPE = 'application/json; charset=utf-8'

/** Answers kept in memory, in bytes: compressed ones, and small ones that cost a statement. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024
const MAX_PLAIN_BYTES = 128 * 1024

export type Body = { bytes: Buffer; headers: Record<string, string> }

export type Answer = {
  /** Equal names mean equal bodies. Absent: the answer is never the same twice, and no one keeps it. */
  name?: string
  cacheControl: string
  /** The request's headers that decide what is sent. */
  vary: string
  /** Making the body costs more than memory: a small one is kept, for whoever asks next. */
  keepsPlain?: boolean
  /** Makes the body. It is not called when the client has the answer already. */
  make: () => Promise<Body>
}

/** A client may keep the answer, and has to check with its ETag each time whether it is still the same. */
export const REVALIDATE = 'private, no-cache'

/** Returns a value as the answer of a listing: what it holds may change at any time. */
export function listing(value: object): Answer {
  const bytes = Buffer.from(JSON.stringify(value))
  return {
    name: contentName(bytes),
    cacheControl: REVALIDATE,
    vary: 'authorization, cookie, accept-encoding',
    make: async () => ({ bytes, headers: { 'content-type': JSON_TYPE } }),
  }
}

export type SendAnswer = (request: FastifyRequest, reply: FastifyReply, answer: Answer) => Promise<FastifyReply>

/**
 * Returns a function that sends answers compressed as the client prefers, under a strong ETag, or 304 to a client that
 * has the answer. Compressed and costly small bodies are kept, the last used ones up to a limit in bytes.
 */
export function createSender(): SendAnswer {
  const kept = new LRUCache<string, Body>({
    maxSize: MAX_KEPT_BYTES,
    sizeCalculation: ({ bytes }) => Math.max(bytes.length, 1),
  })

  async function encoded(request: FastifyRequest, etag: string | undefined, answer: Answer): Promise<Body> {
    const found = etag === undefined ? undefined : kept.get(etag)
    if (found) return found
    const body = await answer.make()
    const coding = codingOf(request.headers)
    const bytes = await encode(coding, body.bytes)
    if (!bytes) {
      if (etag !== undefined && answer.keepsPlain && body.bytes.length <= MAX_PLAIN_BYTES) kept.set(etag, body)
      return body
    }
    const compressed = { bytes, headers: { ...body.headers, 'content-encoding': coding } }
    if (etag !== undefined) kept.set(etag, compressed)
    return compressed
  }

  return async function sendAnswer(request, reply, answer) {
    const etag = answer.name === undefined ? undefined : etagOf(answer.name, codingOf(request.headers))
    const known = etag !== undefined && isKnown(request.headers['if-none-match'], etag)
    // Headers of the answer are set when nothing can fail any more: an error must not be kept under this ETag.
    const body = known ? undefined : await encoded(request, etag, answer)
    reply.header('cache-control', answer.cacheControl).header('vary', answer.vary)
    if (etag !== undefined) reply.header('etag', etag)
    if (!body) return reply.code(304).send()
    return reply.headers(body.headers).send(body.bytes)
  }
}
