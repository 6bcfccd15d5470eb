import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Registry } from 'prom-client'
import { lookUp } from '../lib/collections.ts'
import { OperatorError } from '../lib/errors.ts'
import type { Log } from '../lib/log.ts'
import type { HealthAnswer } from './answer-health.ts'

/** What a process says of itself to probes: by path, such as `/readyz`. */
type Probes = Record<string, () => Promise<HealthAnswer>>

export type Monitoring = AsyncDisposable & { url: string }
type Options = {
  at: { host: string; port: number }
  log: Log
  registry: Registry
  probes: Probes
  /** Metrics of another library in this process, as text. */
  more?: () => Promise<string>
}

/**
 * Answers scrapers and probes on a port of their own, which no client of the API reaches: /metrics, /healthz and the
 * probes of this process. Nothing here asks for a password, so only the machines that scrape should reach it.
 * @throws OperatorError when it cannot listen there
 */
export async function serveMonitoring({ at, log, registry, probes, more }: Options): Promise<Monitoring> {
  const server = createServer((request, response) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return send(response, 405, {}, { allow: 'GET, HEAD' })
    const path = request.url?.split('?')[0] ?? ''
    void answer(path, response).catch((err) => {
      log.error({ err, path }, 'a scrape or probe could not be answered')
      if (!response.headersSent) send(response, 500, {})
    })
  })

  async function answer(path: string, response: ServerResponse): Promise<void> {
    if (path === '/metrics') {
      const texts = await Promise.all([registry.metrics(), more?.().catch(() => '')])
      response.writeHead(200, { 'content-type': registry.contentType }).end(texts.filter(Boolean).join('\n'))
      return
    }
    if (path === '/healthz') return send(response, 200, { status: 'ok' })
    const probe = lookUp(probes, path)
    if (!probe) return send(response, 404, {})
    const { status, headers, body } = await probe()
    send(response, status, body, headers)
  }

  await new Promise<void>((listening, reject) => {
    server.once('error', (cause: NodeJS.ErrnoException) => reject(notListening(at, cause)))
    server.listen(at.port, at.host, listening)
  })
  const { port } = server.address() as AddressInfo
  const host = at.host.includes(':') ? `[${at.host}]` : at.host
  return {
    url: `http://${host}:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.close()
      server.closeAllConnections()
    },
  }
}

function send(response: ServerResponse, status: number, body: object, headers: Record<string, string> = {}): void {
  response.writeHead(status, { ...headers, 'content-type': 'application/json; charset=utf-8' })
  response.end(JSON.stringify(body))
}

function notListening({ host, port }: { host: string; port: number }, cause: NodeJS.ErrnoException): OperatorError {
  const reason = cause.code === 'EADDRINUSE' ? `Port ${port} is taken` : `${host}:${port}: ${cause.message}`
  return new OperatorError(
    `Metrics cannot be served. ${reason}. Set PRICETAPE_METRICS_PORT and PRICETAPE_METRICS_HOST to where nothing else listens.`,
    { cause },
  )
}
