import { createSocket } from 'node:dgram'
import { type AddressInfo, createServer, isIPv6, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Records are addresses, or `cname:other.name` which the server follows in the same answer. */
export type DnsAnswer = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence' | 'truncated'
export type DnsQuestion = {
  name: string
  type: 'A' | 'AAAA' | 'NS' /** How often this was asked before. */
  before: number
}

const TYPES: Record<number, DnsQuestion['type']> = { 1: 'A', 2: 'NS', 28: 'AAAA' }
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/**
 * A DNS server on 127.0.0.1 that says what a test wants, over UDP and TCP. Records of the other family are left out of
 * an answer by themselves. `asked` lists every question as `A name`.
 */
export async function startDns(answer: (question: DnsQuestion) => DnsAnswer) {
  const asked: string[] = []

  function reply(query: Buffer, tcp: boolean): Buffer | undefined {
    const { name, end } = readName(query, 12)
    const type = TYPES[query.readUInt16BE(end)] ?? 'A'
    const before = asked.filter((line) => line === `${type} ${name}`).length
    asked.push(`${type} ${name}`)
    const said = answer({ name, type, before })
    if (said === 'silence') return undefined
    const truncated = said === 'truncated' && !tcp
    const code = typeof said === 'string' && said in CODES ? CODES[said as keyof typeof CODES] : 0
    const records = Array.isArray(said) && type !== 'NS' ? recordsOf(name, type, said) : []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    return Buffer.concat([header, query.subarray(12, end + 4), ...records])
  }

  const udp = createSocket('udp4')
  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const message = reply(data.subarray(2), true)
      if (!message) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      socket.write(Buffer.concat([length, message]))
    })
  })
  await new Promise<void>((done) => tcp.listen(0, '127.0.0.1', done))
  const { port } = tcp.address() as AddressInfo
  udp.on('message', (query, from) => {
    const message = reply(query, false)
    if (message) udp.send(message, from.port, from.address)
  })
  await new Promise<void>((done) => udp.bind(port, '127.0.0.1', done))

  return {
    server: `127.0.0.1:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => udp.close(done))
      await new Promise((done) => tcp.close(done))
    },
  }
}

function recordsOf(name: string, type: DnsQuestion['type'], said: string[]): Buffer[] {
  let owner = name
  const records: Buffer[] = []
  for (const item of said) {
    if (item.startsWith('cname:')) {
      const target = item.slice('cname:'.length)
      records.push(record(owner, 5, writeName(target)))
      owner = target
    } else if (isIPv6(item) === (type === 'AAAA')) {
      records.push(record(owner, type === 'A' ? 1 : 28, Buffer.from(ipaddr.parse(item).toByteArray())))
    }
  }
  return records
}

function record(owner: string, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt32BE(300, 4) // a time to live that must not be believed
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([writeName(owner), fixed, data])
}

const writeName = (name: string) =>
  Buffer.concat([
    ...name.split('.').flatMap((label) => [Buffer.from([label.length]), Buffer.from(label)]),
    Buffer.from([0]),
  ])

function readName(message: Buffer, from: number): { name: string; end: number } {
  const labels: string[] = []
  let at = from
  for (let length = message[at] ?? 0; length > 0; length = message[at] ?? 0) {
    labels.push(message.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += length + 1
  }
  return { name: labels.join('.') || '.', end: at + 1 }
}
