import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'

const GET = (path: string) => `GET ${path} HTTP/1.1\r\nhost: localhost\r\n\r\n`
const TLS_HELLO = Buffer.concat([Buffer.from('16030100c8010000c40303', 'hex'), randomBytes(193)])
const DRIP_EVERY_MS = 2_000

const send = (bytes: string | Uint8Array) => (socket: Socket) => void socket.write(bytes)

/** Sends a beginning, then a piece of what follows every two seconds, for as long as the server lets it. */
const drip = (beginning: string, piece: string) => (socket: Socket) => {
  socket.write(beginning)
  const timer = setInterval(() => socket.write(piece), DRIP_EVERY_MS)
  socket.once('close', () => clearInterval(timer))
}

/** What a hostile client does with its connection. None of them reads, and none closes by itself but the last. */
export const ATTACKS = {
  'not HTTP': send('NONSENSE\r\n\r\n'),
  'random bytes': send(randomBytes(300)),
  'bad chunks': send('POST / HTTP/1.1\r\nhost: a\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n'),
  'endless head': send(`GET / HTTP/1.1\r\nx: ${'y'.repeat(60_000)}`),
  'slow head': drip('GET / HTTP/1.1\r\n', 'a: b\r\n'),
  'slow body': drip('POST /v1/providers HTTP/1.1\r\nhost: a\r\ncontent-length: 9000\r\n\r\n', 'x'),
  'never reads': send(GET('/docs/static/swagger-ui-bundle.js').repeat(9)),
  'pipelines 9 without reading': send(GET('/openapi.json').repeat(9)),
  'pipelines 100': send(GET('/openapi.json').repeat(100)),
  'TLS to the plain port': send(TLS_HELLO),
  silent: () => {},
  'half a request': send('GET /v1/prov'),
  'resets in a request': (socket: Socket) => {
    socket.write('GET /openapi.json HTTP/1.1\r\nhost: ', () => socket.resetAndDestroy())
  },
} satisfies Record<string, (socket: Socket) => void>

/** Opens one hostile connection. It stays open at this end, whatever the server does. */
export function attack(port: number, localAddress: string, act: (socket: Socket) => void): Socket {
  const socket = connect({ port, host: '127.0.0.1', localAddress, allowHalfOpen: true })
  socket.pause()
  socket.on('error', () => {})
  socket.once('connect', () => act(socket))
  return socket
}
