import { createSocket, type Socket as UdpSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, isIPv6, type Server, type Socket } from 'node:net'
import ipaddr from 'ipaddr.js'

/** Records are addresses, or `cname:other.name` which the server follows in the same answer. */
export type DnsAnswer = string[] | 'NXDOMAIN' | 'SERVFAIL' | 'REFUSED' | 'silence' | 'truncated'
/** An answer that comes late, or after forged ones with another id that say the name does not exist. */
export type HostileAnswer = { answer: DnsAnswer; delayMs?: number; forgedBefore?: number }
export type DnsQuestion = {
  name: string
  type: 'A' | 'AAAA' | 'NS' /** How often this was asked before. */
  before: number
}

const TYPES: Record<number, DnsQuestion['type']> = { 1: 'A', 2: 'NS', 28: 'AAAA' }
const CODES = { SERVFAIL: 2, NXDOMAIN: 3, REFUSED: 5 }

/**
 * A DNS server that says what a test wants, over UDP and TCP, by default on a free port of 127.0.0.1. Records of the
 * other family are left out of an answer by themselves. `asked` lists every question as `A name`.
 */
export async function startDns(
  answer: (question: DnsQuestion) => DnsAnswer | HostileAnswer,
  at: { host?: string; port?: number } = {},
) {
  const asked: string[] = []
  const { host = '127.0.0.1' } = at

  function reply(query: Buffer, tcp: boolean): { message?: Buffer; delayMs: number; forged: Buffer[] } {
    const { name, end } = readName(query, 12)
    const type = TYPES[query.readUInt16BE(end)] ?? 'A'
    const before = asked.filter((line) => line === `${type} ${name}`).length
    asked.push(`${type} ${name}`)
    const hostile = answer({ name, type, before })
    const {
      answer: said,
      delayMs = 0,
      forgedBefore = 0,
    } = typeof hostile === 'object' && 'answer' in hostile ? hostile : { answer: hostile }
    const forged = Array.from({ length: forgedBefore }, (_, n) => forgedReply(query, end, n + 1))
    if (said === 'silence') return { delayMs, forged }
    const truncated = said === 'truncated' && !tcp
    const code = typeof said === 'string' && said in CODES ? CODES[said as keyof typeof CODES] : 0
    const records = Array.isArray(said) && type !== 'NS' ? recordsOf(name, type, said) : []
    const header = Buffer.alloc(12)
    query.copy(header, 0, 0, 2)
    header.writeUInt16BE(0x8180 | (truncated ? 0x0200 : 0) | code, 2)
    header.writeUInt16BE(1, 4)
    header.writeUInt16BE(records.length, 6)
    return { message: Buffer.concat([header, query.subarray(12, end + 4), ...records]), delayMs, forged }
  }

  const sockets = new Set<Socket>()
  const tcp = createServer((socket) => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('data', (data) => {
      const { message, delayMs } = reply(data.subarray(2), true)
      if (!message) return
      const length = Buffer.alloc(2)
      length.writeUInt16BE(message.length)
      setTimeout(() => socket.write(Buffer.concat([length, message])), delayMs)
    })
  })
  const udp = await bindBoth(tcp, host, at.port)
  const { port } = tcp.address() as AddressInfo
  udp.on('message', (query, from) => {
    const { message, delayMs, forged } = reply(query, false)
    for (const lie of forged) udp.send(lie, from.port, from.address)
    const send = () => message && udp.send(message, from.port, from.address)
    // A test may have closed the server while a late answer waited.
    const late = setTimeout(send, delayMs)
    udp.once('close', () => clearTimeout(late))
  })
  udp.setMaxListeners(0)

  return {
    server: `${host}:${port}`,
    asked,
    async close() {
      for (const socket of sockets) socket.destroy()
      await new Promise<void>((done) => udp.close(done))
      await new Promise((done) => tcp.close(done))
    },
  }
}

/** Lets a server listen, and returns a socket on the same port of UDP: where that is taken, both are on another port. */
async function bindBoth(tcp: Server, host: string, wanted = 0): Promise<UdpSocket> {
  for (;;) {
    tcp.listen(wanted, host)
    await once(tcp, 'listening')
    const udp = createSocket('udp4').bind((tcp.address() as AddressInfo).port, host)
    try {
      await once(udp, 'listening')
      return udp
    } catch (error) {
      udp.close()
      await new Promise((closed) => tcp.close(closed))
      if (wanted !== 0) throw error
    }
  }
}

/** The name does not exist, says someone who did not see the question's id. */
function forgedReply(query: Buffer, end: number, offset: number): Buffer {
  const header = Buffer.alloc(12)
  header.writeUInt16BE((query.readUInt16BE(0) + offset) % 65_536, 0)
  header.writeUInt16BE(0x8180 | CODES.NXDOMAIN, 2)
  header.writeUInt16BE(1, 4)
  return Buffer.concat([header, query.subarray(12, end + 4)])
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
