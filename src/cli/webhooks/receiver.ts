import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Webhook } from 'standardwebhooks'
import { OperatorError } from '../../lib/errors.ts'
import { lineOf, type ReceivedRequest } from './receiver-line.ts'

/** Larger than any event is likely to be; what is longer is refused rather than held. */
const MAX_BODY_BYTES = 64 * 1024 * 1024
/** How many processed ids are remembered. */
const REMEMBERED = 10_000

export type ReceiverOptions = {
  /** 0 takes any free port. */
  port: number
  host?: string
  /** The webhook's secret; the new one too while a rotation lasts. */
  secrets: string[]
  /** One JSON object per line instead of a line for people. */
  json?: boolean
  write?: (line: string) => void
}

/**
 * A local endpoint that does what every receiver must: verifies the signature over the raw body, skips ids it has
 * processed, and only then answers 200. What it cannot verify gets 400.
 * @throws OperatorError when a secret is malformed or the port is taken
 */
export async function startVerifyingReceiver(options: ReceiverOptions) {
  const { host = '127.0.0.1', json = false, write = (line) => process.stdout.write(`${line}\n`) } = options
  const verifiers = options.secrets.map(verifier)
  if (verifiers.length === 0)
    throw new OperatorError('A secret is needed: --secret whsec_…, shown when the webhook was created.')
  const processed = new Set<string>()

  async function receive(request: IncomingMessage, response: ServerResponse) {
    const body = await rawBody(request)
    const received = judge(request, body, verifiers, processed)
    write(json ? JSON.stringify(received) : lineOf(received))
    if (received.id !== undefined && received.outcome === 'accepted') remember(processed, received.id)
    const text = received.why ?? received.outcome
    response.writeHead(received.outcome === 'refused' ? 400 : 200, { 'content-type': 'text/plain; charset=utf-8' })
    response.end(`${text}\n`)
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(405, { allow: 'POST' }).end('This is a webhook receiver: it takes POST alone.\n')
      return
    }
    receive(request, response).catch((error: Error) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(400).end(`${error.message}\n`)
    })
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => {
      const why =
        cause.code === 'EADDRINUSE' ? 'is taken: choose another with --port' : `cannot be used: ${cause.message}`
      reject(new OperatorError(`Port ${options.port} ${why}.`, { cause }))
    })
    server.listen(options.port, host, resolve)
  })
  const { port } = server.address() as AddressInfo
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/`,
    port,
    async close() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function verifier(secret: string): Webhook {
  try {
    return new Webhook(secret)
  } catch (cause) {
    throw new OperatorError('The secret is not whsec_ and base64. Copy it whole, as it was shown.', { cause })
  }
}

function judge(request: IncomingMessage, body: Buffer, verifiers: Webhook[], processed: Set<string>): ReceivedRequest {
  const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
  const base = { at: new Date().toISOString(), id: headers['webhook-id'], bytes: body.length }
  const verified = verify(verifiers, body, headers)
  if ('why' in verified) return { ...base, outcome: 'refused', why: verified.why }
  const { event } = verified
  const type = (event as { type?: string } | null)?.type
  const outcome = processed.has(base.id ?? '') ? 'duplicate' : 'accepted'
  return { ...base, outcome, type, event }
}

/** Any of the secrets may match; of several failures, the first is reported. */
function verify(
  verifiers: Webhook[],
  body: Buffer,
  headers: Record<string, string>,
): { event: unknown } | { why: string } {
  let why: string | undefined
  for (const webhook of verifiers) {
    try {
      return { event: webhook.verify(body, headers) }
    } catch (error) {
      why ??= (error as Error).message
    }
  }
  return { why: `not verified: ${why}` }
}

function remember(processed: Set<string>, id: string) {
  processed.add(id)
  const [oldest] = processed
  if (processed.size > REMEMBERED && oldest !== undefined) processed.delete(oldest)
}

async function rawBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > MAX_BODY_BYTES) throw new Error(`The body is larger than ${MAX_BODY_BYTES} bytes.`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}
