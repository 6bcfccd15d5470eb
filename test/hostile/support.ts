import { type AddressInfo, createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import type { Config } from '../../src/lib/config.ts'
import { createSafeFetch, type PostOutcome } from '../../src/lib/safe-fetch/safe-fetch.ts'
import { type DnsAnswer, type DnsQuestion, type HostileAnswer, startDns } from '../support/servers/dns.ts'
import { type Certificate, certificateFor, testAuthority } from '../support/servers/tls.ts'

export const HOST = 'hooks.example.com'
export const authority = testAuthority()
const certificate = certificateFor(authority, [HOST])
export const hook = { headers: { 'content-type': 'application/json' }, body: '{"price":"0.5"}' }

/** What each test has opened; closed in reverse order by {@link closeAll}. */
export const open: (() => Promise<unknown>)[] = []
export async function closeAll() {
  for (const close of open.splice(0).reverse()) await close()
}

/** A server that does with a connection what it likes: TLS by default, bare TCP with `tls: null`. */
export async function hostile(
  onConnection: (socket: Socket) => void,
  options: { tls?: Certificate | null; host?: string; port?: number } = {},
) {
  const sockets = new Set<Socket>()
  const accept = (socket: Socket) => {
    sockets.add(socket)
    socket.on('error', () => {}).on('close', () => sockets.delete(socket))
    onConnection(socket)
  }
  const { tls = certificate } = options
  const server: Server = tls ? createTlsServer(tls, accept) : createServer({ allowHalfOpen: true }, accept)
  let connections = 0
  server.on('connection', () => {
    connections += 1
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((done) => server.listen(options.port ?? 0, options.host ?? '127.0.0.1', done))
  open.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((done) => server.close(done))
  })
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections
    },
  }
}

/** A server that answers every request with this text and closes. */
export const answering = (response: string | Buffer, options?: Parameters<typeof hostile>[1]) =>
  hostile((socket) => socket.once('data', () => socket.end(response)), options)

export const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\nconnection: close\r\n\r\nok'

type Says = DnsAnswer | ((question: DnsQuestion) => DnsAnswer | HostileAnswer)

/**
 * The client of production over a DNS server that lies as the test says. Only the meaning of "public" is bent, at
 * construction: 127.0.0.1 and 127.0.0.3 count as public addresses and `port` for 443. Everything else private stays private.
 */
export async function client(port: number, says: Says = ['127.0.0.1'], egress: Partial<Config['egress']> = {}) {
  const dns = await startDns(typeof says === 'function' ? says : () => says)
  open.push(dns.close)
  const made = createSafeFetch({
    dnsServers: [dns.server],
    ca: authority.ca,
    ...egress,
    reach: { isPublic: (address) => ['127.0.0.1', '127.0.0.3'].includes(address), port },
  })
  open.push(made.close)
  return { ...made, asked: dns.asked }
}

/** The client of production, with nothing bent but its resolver. */
export async function strictClient(says: Says) {
  const dns = await startDns(typeof says === 'function' ? says : () => says)
  open.push(dns.close)
  const made = createSafeFetch({ dnsServers: [dns.server] })
  open.push(made.close)
  return { ...made, asked: dns.asked }
}

/** What became of a request. A process that stood still says so, the attempt does not count, and it is made again. */
export async function outcomeOf(send: () => Promise<PostOutcome>): Promise<PostOutcome> {
  for (;;) {
    const outcome = await send()
    if (outcome.kind !== 'platform' || !/stood still/.test(outcome.message)) return outcome
  }
}
