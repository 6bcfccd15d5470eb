/** A machine in a network namespace of its own, connected to `internet.ts`. It does what its parent asks for. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readlink, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSafeFetch, type SafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { startDns } from '../../support/servers/dns.ts'
import type { Certificate } from '../../support/servers/tls.ts'
import { ip } from './ip.ts'

export type Setup = { ca: string; certificate: Certificate }
export type Order = {
  id: number
  do: 'post' | 'get' | 'ip' | 'write' | 'reset'
  with: string
  client?: Client
  text?: string
  ipv6?: boolean
}
/** Whose resolver a client asks: one of the internet, or one on this machine that always has an answer. */
export type Client = 'internet' | 'local'

const PORT_RANGE = '/proc/sys/net/ipv4/ip_local_port_range'
const USUAL_PORTS = '32768 60999'

const hook = { headers: { 'content-type': 'application/json' }, body: '{"price":"0.5"}' }

async function connectToInternet(certificate: Certificate) {
  await ip('link set lo up')
  await ip('link add wan type veth peer name net0')
  const internet = fork(fileURLToPath(new URL('internet.ts', import.meta.url)), [], {
    execPath: 'unshare',
    execArgv: ['-n', process.execPath, '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  })
  internet.send(certificate)
  await moveInto(internet.pid ?? 0)
  await ip('addr add 5.45.0.2/24 dev wan')
  await ip('addr add 2a02:5::2/64 dev wan nodad')
  await ip('link set wan up')
  await once(internet, 'message')
}

/** Makes the network what it is at first, whatever a test did to it. */
async function resetNetwork(ipv6: boolean) {
  // What `ip route add` adds is of this protocol, the routes of the kernel are not.
  for (const family of ['-4', '-6']) await ip(`${family} route flush table main proto boot`)
  await ip('neigh flush dev wan')
  await ip('addr replace 2a02:5::2/64 dev wan nodad')
  if (!ipv6) await ip('addr del 2a02:5::2/64 dev wan')
  await ip('route add default via 5.45.0.1')
  if (ipv6) await ip('-6 route add default via 2a02:5::1')
  await writeFile(PORT_RANGE, USUAL_PORTS)
}

/** Gives the other end of the cable to a process, once that has a network namespace of its own. */
async function moveInto(pid: number) {
  const own = await readlink('/proc/self/ns/net')
  while ((await readlink(`/proc/${pid}/ns/net`)) === own) await sleep(20)
  await ip(`link set net0 netns ${pid}`)
}

process.once('message', async ({ ca, certificate }: Setup) => {
  await connectToInternet(certificate)
  const local = await startDns(({ name }) => (name === '.' ? [] : ['93.184.216.34']))
  const newClients = (): Record<Client, SafeFetch> => ({
    internet: createSafeFetch({ ca, dnsServers: ['8.8.8.8'] }),
    local: createSafeFetch({ ca, dnsServers: [local.server] }),
  })
  let clients = newClients()
  async function reset(ipv6 = true) {
    await Promise.all(Object.values(clients).map((client) => client.close()))
    await resetNetwork(ipv6)
    clients = newClients()
  }
  process.on('message', async (order: Order) => {
    const { id, client = 'internet' } = order
    const result = order.do === 'reset' ? await reset(order.ipv6) : await carryOut(order, clients[client])
    process.send?.({ id, result })
  })
  await reset()
  process.send?.({ id: 0 })
})
process.on('disconnect', () => process.exit())

async function carryOut(order: Order, client: SafeFetch) {
  if (order.do === 'ip') return ip(order.with)
  if (order.do === 'write') return writeFile(order.with, order.text ?? '')
  if (order.do === 'post') return client.post(order.with, hook)
  const outcome = await client.get(order.with)
  return outcome.kind === 'answer' ? { ...outcome, bytes: outcome.bytes.length } : outcome
}
