import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { onTestFinished } from 'vitest'
import { CONNECTION_LIMITS, type ConnectionLimits } from '../../../src/api/serving/connection-rules.ts'
import { Connections } from '../../../src/api/serving/connections.ts'

/** A raw connection: what it sent back so far, and when the other side closed it. */
export type RawConnection = { socket: Socket; received: () => string; closed: Promise<void> }

/** Opens a TCP connection and sends bytes as they are. A paused one never reads. */
export async function dial(
  port: number,
  bytes: string | Uint8Array = '',
  options: { localAddress?: string; paused?: boolean } = {},
): Promise<RawConnection> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: options.localAddress })
  let received = ''
  socket.on('data', (data) => {
    received += data.toString('latin1')
  })
  if (options.paused) socket.pause()
  socket.on('error', () => {})
  const closed = new Promise<void>((done) => socket.once('close', () => done()))
  await Promise.race([new Promise((done) => socket.once('connect', done)), closed])
  if (bytes.length > 0) socket.write(bytes)
  return { socket, received: () => received, closed }
}

/** A GET request as it goes over the wire. */
export const rawGet = (path: string, headers = ''): string =>
  `GET ${path} HTTP/1.1\r\nhost: localhost\r\n${headers}\r\n`

/** How many connections a listening server holds. */
export const held = (server: { getConnections: (done: (error: Error | null, count: number) => void) => void }) =>
  new Promise<number>((done, reject) => server.getConnections((error, count) => (error ? reject(error) : done(count))))

/** A server whose connections are limited like the product's, with answers of the test's own, until the test is over. */
export async function serveConnections(limits: Partial<ConnectionLimits>, handler: RequestListener) {
  const server = new Connections({ ...CONNECTION_LIMITS, ...limits }, () => false).createServer(handler)
  onTestFinished(() => {
    server.close()
    server.closeAllConnections()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return { server, port: (server.address() as AddressInfo).port }
}
