import type { ServerResponse } from 'node:http'

/** So much is handed to the system at once, which takes a fraction of a millisecond. */
const PIECE_BYTES = 128 * 1024

/**
 * Makes a response hand a large body to the system in pieces. The system takes megabytes at once for a client that
 * reads nothing; between two pieces other connections have their turn.
 */
export function sendInPieces(response: ServerResponse): void {
  const end = response.end.bind(response) as (body?: unknown, ...more: unknown[]) => ServerResponse
  const endInPieces = (body?: unknown, ...more: unknown[]): ServerResponse => {
    const large = Buffer.isBuffer(body) && body.length > PIECE_BYTES && response.req.method !== 'HEAD'
    if (!large) return end(body, ...more)
    sendPiece(body)
    return response
  }
  // Fastify takes a response that closed without an end for a handler that forgot to answer, and logs it as an error.
  response.once('close', () => response.headersSent && !response.writableEnded && end())
  const sendPiece = (left: Buffer): void => {
    if (response.destroyed) return
    if (left.length <= PIECE_BYTES) return void end(left)
    const next = () => setImmediate(sendPiece, left.subarray(PIECE_BYTES))
    if (response.write(left.subarray(0, PIECE_BYTES))) next()
    else response.once('drain', next)
  }
  response.end = endInPieces as ServerResponse['end']
}
