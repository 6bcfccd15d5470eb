import { createSocket } from 'node:dgram'
import { mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startDns } from '../../support/servers/dns.ts'
import { ip, run } from '../namespace/ip.ts'
import { type Site, ZONE } from './site.ts'

/** What arrived anywhere: by which probe, what DNS was asked, and all that the kernel sent, to whatever address. */
export type Arrivals = { probes: string[]; names: string[]; datagrams: number; connections: number }

/** A network in which every address is this machine, and a resolver that is ours. */
export async function makeNetwork() {
  await ip('link set lo up')
  await ip('link add end0 type veth peer name end1')
  await ip('addr add 10.9.0.2/24 dev end0')
  await ip('addr add 2a02:5::2/64 dev end0 nodad')
  for (const end of ['end0', 'end1']) await ip(`link set ${end} up`)
  await ip('route add local 0.0.0.0/0 dev lo table local')
  await ip('-6 route add local ::/0 dev lo table local')
  const resolver = join(await mkdtemp(join(tmpdir(), 'pricetape-')), 'resolv.conf')
  await writeFile(resolver, 'nameserver 127.0.0.1\n')
  await run('mount', ['--bind', resolver, '/etc/resolv.conf'])
}

/** Listens wherever a probe aims, and counts whatever else is sent. */
export async function setTraps({ targets }: Site) {
  const ports = new Set<number>()
  const asked = (name: string) => {
    for (const { host, port } of targets.values()) if (host === name) ports.add(port)
    return name.endsWith(ZONE) ? ['10.0.0.7'] : ('NXDOMAIN' as const)
  }
  const dns = await startDns(({ name }) => asked(name), { port: 53 })
  for (const { port } of targets.values()) {
    const udp = createSocket('udp6').on('message', () => ports.add(port))
    const tcp = createServer((socket) => {
      ports.add(port)
      socket.on('error', () => {}).destroy()
    })
    await Promise.all([
      new Promise<void>((done) => udp.bind(port, '::', done)),
      new Promise<void>((done) => tcp.listen(port, '::', done)),
    ])
  }
  const before = await counted()
  const arrived = async (): Promise<Arrivals> => {
    const after = await counted()
    const probes = [...targets].filter(([, { port }]) => ports.has(port)).map(([title]) => title)
    const all = {
      probes,
      names: [...new Set(dns.asked)],
      datagrams: after.datagrams - before.datagrams,
      connections: after.connections - before.connections,
    }
    ports.clear()
    dns.asked.length = 0
    Object.assign(before, after)
    return all
  }
  const missing = () => [...targets].filter(([, { port }]) => !ports.has(port)).map(([title]) => title)
  return { arrived, missing }
}

/** What the kernel sent in this network since it was made, to whatever address. */
async function counted() {
  const [four, six] = await Promise.all(['snmp', 'snmp6'].map((name) => readFile(`/proc/net/${name}`, 'latin1')))
  const column = (protocol: string, name: string) => {
    const [titles, values] = four!.split('\n').filter((line) => line.startsWith(`${protocol}:`))
    return Number(values!.split(' ')[titles!.split(' ').indexOf(name)])
  }
  const udp6 = Number(/^Udp6OutDatagrams\s+(\d+)/m.exec(six!)![1])
  return { datagrams: column('Udp', 'OutDatagrams') + udp6, connections: column('Tcp', 'ActiveOpens') }
}
