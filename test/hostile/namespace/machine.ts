/** A machine in a network namespace of its own, connected to `internet.ts`. It does what its parent asks for. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readlink, writeFile } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createSafeFetch, type SafeFetch } from '../../../src/lib/safe-fetch/safe-fetch.ts'
import { startDns } from '../../support/dns.ts'
import type { Certificate } from '../../support/tls.ts'
import { ip } from './ip.ts'

export type Setup = { ca: string; certificate: Certificate; ipv6: boolean }
export type Order = { id: number; do: 'post' | 'get' | 'ip' | 'write'; with: string; client?: Client; text?: string }
/** Whose resolver a client asks: one of the internet, or one on this machine that always has an answer. */
export type Client = 'internet' | 'local'

const hook = { headers: { 'content-type': 'application/json' }, body: '{"price":"0.5"}' }

async function connectToInternet(certificate: Certificate, ipv6: boolean) {
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
  if (ipv6) await ip('addr add 2a02:5::2/64 dev wan nodad')
  await ip('link set wan up')
  await ip('route add default via 5.45.0.1')
  if (ipv6) await ip('-6 route add default via 2a02:5::1')
  await once(internet, 'message')
}

/** Gives the other end of the cable to a process, once that has a network namespace of its own. */
async function moveInto(pid: number) {
  const own = await readlink('/proc/self/ns/net')
  while ((await readlink(`/proc/${pid}/ns/net`)) === own) await sleep(20)
  await ip(`link set net0 netns ${pid}`)
}

process.once('message', async ({ ca, certificate, ipv6 }: Setup) => {
  await connectToInternet(certificate, ipv6)
  const local = await startDns(({ name }) => (name === '.' ? [] : ['93.184.216.34']))
  const clients: Record<Client, SafeFetch> = {
    internet: createSafeFetch({ ca, dnsServers: ['8.8.8.8'] }),
    local: createSafeFetch({ ca, dnsServers: [local.server] }),
  }
  process.on('message', async (order: Order) => {
    process.send?.({ id: order.id, result: await carryOut(order, clients[order.client ?? 'internet']) })
  })
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
