import { connect } from 'node:net'
import type { Random } from './random.ts'

/** What is read of the OpenAPI document. */
export type Document = { paths: Record<string, { get?: { parameters?: { name: string }[] } }> }

const ODD = [
  '', '0', '-1', '1e9', '99999999999999999999', 'null', '[]', '{}', '%', '%00', '%zz', '%ED%A0%80', '../../etc/passwd',
  "' or 1=1 --", 'a,b,,c', 'openai', 'openai,openai', '*', '2026-13-01', '2026-01-01T00:00:00Z', '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59.999Z', '2026-01-01T00:00:00+14:00', 'x'.repeat(3_000), '%F0%9F%AA%99', '\u00e9', '1', '10000',
] // biome-ignore format: a vocabulary reads best in lines
const METHODS = ['GET', 'GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PATCH', 'TRACE', 'BREW']
const OTHER_PATHS = [
  '/',
  '/healthz',
  '/readyz/reads',
  '/docs',
  '/docs/',
  '/docs/json',
  '/openapi.json',
  '/v1/%zz',
  '//',
  '/v2',
  '*',
]
const HEADERS = [
  'expect: 100-continue', 'expect: x', 'content-length: 5', 'content-length: -1', 'transfer-encoding: chunked',
  'connection: upgrade\r\nupgrade: websocket', 'sec-fetch-site: cross-site', 'origin: null', 'accept: */*', 'host: b',
  'if-none-match: *', 'x-forwarded-for: 1.2.3.4', 'cookie: a=b', 'range: bytes=0-1', `x: ${'y'.repeat(9_000)}`,
] // biome-ignore format: a vocabulary reads best in lines

/** A request made from the OpenAPI document, with odd values in odd places. */
export function fuzzedRequest(random: Random, document: Document, keys: string[]): string {
  const known = Object.entries(document.paths)
  const [path, { get }] = random.pick(known)
  const names = [...(get?.parameters ?? []).map((parameter) => parameter.name), 'surprise', '__proto__']
  const pairs = Array.from({ length: random.below(4) }, () => `${random.pick(names)}=${random.pick(ODD)}`)
  const target = random.below(5) === 0 ? random.pick(OTHER_PATHS) : `${path}?${pairs.join('&')}`
  const key = random.pick([...keys, 'ptk_wrong', `ptk_${'x'.repeat(random.below(80))}`, ''])
  const headers = Array.from({ length: random.below(3) }, () => random.pick(HEADERS))
  const lines = [`${random.pick(METHODS)} ${target} HTTP/1.1`, 'host: localhost', `authorization: Bearer ${key}`]
  return `${[...lines, ...headers, 'connection: close'].join('\r\n')}\r\n\r\n`
}

/** The same bytes with some of them changed, left out, doubled or cut off. */
export function mutated(random: Random, text: string): Buffer {
  let bytes = Buffer.from(text)
  for (let times = 1 + random.below(4); times > 0; times--) {
    const at = random.below(bytes.length + 1)
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)]
    const change = random.below(4)
    if (change === 0) bytes = Buffer.concat([before, Buffer.from([random.below(256)]), after.subarray(1)])
    else if (change === 1) bytes = Buffer.concat([before, after.subarray(random.below(8))])
    else if (change === 2) bytes = Buffer.concat([before, before.subarray(-random.below(20)), after])
    else bytes = Buffer.concat([before, Buffer.from(random.pick(ODD)), after])
  }
  return bytes
}

/** Sends bytes as they are. Returns the status of the answer; undefined when the connection was closed without one. */
export function sendRaw(port: number, localAddress: string, bytes: string | Buffer): Promise<number | undefined> {
  return new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(bytes))
    let head = ''
    socket.on('data', (data) => {
      if (head.length < 20) head += data.toString('latin1', 0, 20)
    })
    // An unfinished request would wait for its end: the client gives up first.
    socket.setTimeout(1_000, () => socket.destroy())
    socket.on('error', () => {})
    socket.once('close', () => done(Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1]) || undefined))
  })
}
