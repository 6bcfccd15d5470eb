import { createServer, type IncomingHttpHeaders } from 'node:http'
import { type AddressInfo, connect } from 'node:net'

export type ProxyRequest = { address: string; headers: IncomingHttpHeaders; from?: string }
/** Connects, says more than that it has, answers with this status line instead, or says nothing. */
export type Behaviour = 'connect' | 'chatter' | 'silent' | (string & {})

/** An HTTP proxy that does CONNECT, on 127.0.0.1. It keeps what it was asked for. */
export async function startProxy(behave: (asked: ProxyRequest) => Behaviour = () => 'connect') {
  const asked: ProxyRequest[] = []
  const sockets = new Set<{ destroy: () => unknown }>()
  const server = createServer((_request, response) => response.writeHead(405).end())
  let clients = 0
  server.on('connection', (socket) => {
    sockets.add(socket)
    clients++
    socket.once('close', () => clients--)
  })
  server.on('connect', (request, client) => {
    const one = { address: request.url ?? '', headers: request.headers, from: request.socket.remoteAddress }
    asked.push(one)
    client.on('error', () => {})
    const does = behave(one)
    if (does === 'silent' || does === 'chatter') client.resume().once('end', () => client.end())
    if (does === 'silent') return
    if (does === 'chatter') return client.write('HTTP/1.1 200 Connection established\r\n\r\nwelcome')
    if (does !== 'connect') return client.end(`HTTP/1.1 ${does}\r\ncontent-length: 0\r\n\r\n`)
    const { hostname, port } = new URL(`tcp://${one.address}`)
    const upstream = connect(Number(port), hostname)
    sockets.add(upstream)
    upstream.on('error', () => client.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    upstream.once('connect', () => {
      client.write('HTTP/1.1 200 Connection established\r\n\r\n')
      upstream.pipe(client).pipe(upstream)
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    host: '127.0.0.1',
    port: (server.address() as AddressInfo).port,
    asked,
    /** How many connections to it are open. */
    clients: () => clients,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise((done) => server.close(done))
    },
  }
}
