/** The rest of the internet: a network namespace with a gateway, name servers, and hosts that behave as their names say. */
import { once } from 'node:events'
import { createServer as createTcpServer, type Server, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createServer as createTlsServer } from 'node:tls'
import { type DnsAnswer, type DnsQuestion, type HostileAnswer, startDns } from '../../support/servers/dns.ts'
import type { Certificate } from '../../support/servers/tls.ts'
import { ip } from './ip.ts'

export const GATEWAY = { v4: '5.45.0.1', v6: '2a02:5::1' }
export const NAME_SERVER = '8.8.8.8'
const HOST = { v4: '93.184.216.34', v6: '2606:2800:220::34' }
const RESETS_ON_CONNECT = '93.184.216.40'
const RESETS_IN_HANDSHAKE = '93.184.216.41'
const REFUSES = '93.184.216.42'
/** No one has these: the gateway forwards nothing, so that packets to them vanish. */
const BLACK_HOLE = { v4: '93.184.216.99', v6: '2606:2800:220::99' }
const LATE_DNS_MS = 2_500
const SLOW_ANSWER_MS = 3_000
/** What was sent has arrived by then, also on a slow machine. */
const ARRIVED_MS = 500
const HTTPS = 443

const NAMES: Record<string, DnsAnswer | HostileAnswer> = {
  '.': [],
  'v4.example.com': [HOST.v4],
  'v6.example.com': [HOST.v6],
  'both.example.com': [HOST.v4, HOST.v6],
  'half-dead.example.com': [HOST.v4, BLACK_HOLE.v6],
  'black-hole.example.com': [BLACK_HOLE.v4],
  'reset-on-connect.example.com': [RESETS_ON_CONNECT],
  'reset-in-handshake.example.com': [RESETS_IN_HANDSHAKE],
  'refuses.example.com': [REFUSES],
  'unrouted.example.com': ['93.184.217.1'],
  'late-dns.example.com': { answer: [HOST.v4], delayMs: LATE_DNS_MS },
  'truncated.example.com': 'truncated',
  'wrong-id.example.com': { answer: 'silence', forgedBefore: 5 },
  'flood.example.com': { answer: [HOST.v4], delayMs: 100, forgedBefore: 2_000 },
  'cname-loop.example.com': ['cname:cname-loop.example.com'],
  'cname-chain.example.com': Array.from({ length: 1_000 }, (_, n) => `cname:a${n}.example.com`),
  'mixed.example.com': [HOST.v4, '10.0.0.1'],
  'metadata.example.com': ['169.254.169.254'],
}

function answer({ name, type, before }: DnsQuestion): DnsAnswer | HostileAnswer {
  if (name === 'rebinding.example.com') return before === 0 ? [HOST.v4] : ['127.0.0.1']
  if (name === 'truncated.example.com' && before > 0) return [HOST.v4]
  // A chain too long for a datagram is fetched over TCP.
  if (name === 'cname-chain.example.com' && before === 0 && type === 'A') return 'truncated'
  return NAMES[name] ?? 'NXDOMAIN'
}

async function configure() {
  for (;;) {
    const links = await ip('link')
    if (links.includes('net0')) break
    await sleep(20)
  }
  await ip('link set lo up')
  await ip(`addr add ${GATEWAY.v4}/24 dev net0`)
  await ip(`addr add ${GATEWAY.v6}/64 dev net0 nodad`)
  await ip('link set net0 up')
  for (const address of [NAME_SERVER, HOST.v4, RESETS_ON_CONNECT, RESETS_IN_HANDSHAKE, REFUSES])
    await ip(`addr add ${address}/32 dev lo`)
  await ip(`addr add ${HOST.v6}/128 dev lo nodad`)
}

const rawOf = (socket: Socket) => (socket as Socket & { _parent?: Socket })._parent ?? socket

/** Answers as the path of the request says. */
function serve(socket: Socket) {
  socket.on('error', () => {})
  socket.on('data', (data) => {
    const [, path] = data.toString('latin1').split(' ')
    const reply = (text: string) => !socket.destroyed && socket.write(text)
    const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'
    if (path === '/ok') reply(ok)
    // Nothing is ever said about any other path.
    if (path === '/slow') setTimeout(reply, SLOW_ANSWER_MS, ok)
    if (path === '/reset-before-headers') rawOf(socket).resetAndDestroy()
    if (path === '/reset-in-headers') reply('HTTP/1.1 200 OK\r\nx-more: ')
    if (path === '/reset-in-body') reply('HTTP/1.1 500 Error\r\ncontent-length: 100\r\n\r\nsorry')
    // A reset that comes together with bytes is seen as an end of the connection.
    if (path?.startsWith('/reset-in-')) setTimeout(() => rawOf(socket).resetAndDestroy(), ARRIVED_MS)
  })
}

async function listen(server: Server, host: string) {
  server.on('tlsClientError', () => {})
  server.listen({ port: HTTPS, host, ipv6Only: true })
  await once(server, 'listening')
}

process.once('message', async (certificate: Certificate) => {
  await configure()
  for (const host of [HOST.v4, HOST.v6]) await listen(createTlsServer(certificate, serve), host)
  const onConnect = createTcpServer((socket) => socket.on('error', () => {}).resetAndDestroy())
  await listen(onConnect, RESETS_ON_CONNECT)
  const onData = createTcpServer((socket) => {
    socket.on('error', () => {}).once('data', () => socket.resetAndDestroy())
  })
  await listen(onData, RESETS_IN_HANDSHAKE)
  await startDns(answer, { host: NAME_SERVER, port: 53 })
  process.send?.('ready')
})
process.on('disconnect', () => process.exit())
