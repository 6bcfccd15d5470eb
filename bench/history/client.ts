import { Agent, type IncomingMessage, request } from 'node:http'

export type TimedResponse = {
  status: number
  headers: IncomingMessage['headers']
  bytes: number
  body: Buffer
  ms: number
}

/** A client that keeps its connections. It reads every byte and decodes nothing. */
export function createClient(port: number, connections: number) {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return {
    get: (path: string, headers: Record<string, string>): Promise<TimedResponse> =>
      new Promise((resolve, reject) => {
        const started = performance.now()
        const sent = request({ agent, host: '127.0.0.1', port, path, headers }, (answer) => {
          const chunks: Buffer[] = []
          answer.on('data', (chunk: Buffer) => chunks.push(chunk))
          answer.on('error', reject)
          answer.on('end', () => {
            const body = Buffer.concat(chunks)
            const ms = performance.now() - started
            resolve({ status: answer.statusCode!, headers: answer.headers, bytes: body.length, body, ms })
          })
        })
        sent.on('error', reject)
        sent.end()
      }),
    close: () => agent.destroy(),
  }
}
export type Client = ReturnType<typeof createClient>
