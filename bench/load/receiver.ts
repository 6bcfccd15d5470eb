/**
 * The receivers of all webhooks, in a process of their own: `/KIND/NUMBER` behaves as its kind. Verifies each signature
 * with the standard library, and keeps of each POST what the parent needs to judge it.
 */
import { readFileSync } from 'node:fs'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { createServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'

/** How long slow receivers take: the shortest, and how much longer the longest. */
const SLOW_MS = 1_500
const SLOWER_MS = 2_000

export type Post = { path: string; id: string; at: number; status: number; verified: boolean }
export type Order = { secrets: [path: string, secret: string][] } | 'posts' | 'forget'

const [key, cert] = process.argv.slice(2).map((path) => readFileSync(path))
const verifiers = new Map<string, Webhook>()
let posts: Post[] = []
let answered = 0

async function receive(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const path = request.url ?? ''
  const at = Date.now()
  const status = path.startsWith('/error/') ? 500 : 200
  const verified = verify(path, Buffer.concat(chunks), request.headers)
  posts.push({ path, id: String(request.headers['webhook-id']), at, status, verified })
  if (path.startsWith('/never/')) return
  const wait = path.startsWith('/slow/') ? SLOW_MS + (answered++ % 100) * (SLOWER_MS / 100) : 0
  setTimeout(() => response.writeHead(status).end(status === 200 ? 'ok' : 'out of order'), wait)
}

function verify(path: string, body: Buffer, headers: IncomingMessage['headers']): boolean {
  try {
    const event = verifiers.get(path)!.verify(body, headers as Record<string, string>) as { id?: string }
    return event.id === headers['webhook-id']
  } catch {
    return false
  }
}

const server = createServer({ key, cert, keepAlive: true }, (request, response) => {
  receive(request, response).catch(() => response.destroy())
})
server.keepAliveTimeout = 30_000
await new Promise<void>((done) => server.listen(0, '127.0.0.1', 2_000, done))
process.send?.((server.address() as AddressInfo).port)
process.on('message', (order: Order) => {
  if (order === 'posts') process.send?.(posts)
  else if (order === 'forget') posts = []
  else for (const [path, secret] of order.secrets) verifiers.set(path, new Webhook(secret))
})
process.on('disconnect', () => process.exit())
