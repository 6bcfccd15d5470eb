/**
 * The hostile side, as a process of its own: opens connections and sends fuzzed requests at an even pace, reports the
 * statuses that came back, and holds its ends of all connections open until it receives the command to end.
 */
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATTACKS, attack } from './connections.ts'
import { type Document, fuzzedRequest, mutated, sendRaw } from './fuzz.ts'
import { seeded } from './random.ts'

export type Orders = { port: number; connections: number; requests: number; seconds: number; keys: string[] }
export type Result = { opened: Record<string, number>; statuses: Record<string, number> }

const TICK_MS = 50
const FUZZERS = 16
/** So many addresses take part: more than one, so that the limit per address is not what protects the others. */
const ADDRESSES = 40
/** They would run on other machines: here they leave the processor to the server and to normal clients. */
const LOW_PRIORITY = 15

setPriority(LOW_PRIORITY)
process.on('disconnect', () => process.exit())
process.once('message', async (orders: Orders) => {
  const held: Socket[] = []
  const [opened, statuses] = await Promise.all([openAll(orders, held), sendAll(orders)])
  process.send!({ opened, statuses } satisfies Result)
})

async function openAll({ port, connections, seconds }: Orders, held: Socket[]): Promise<Record<string, number>> {
  const kinds = Object.entries(ATTACKS)
  const opened: Record<string, number> = {}
  const started = performance.now()
  for (let count = 0; count < connections; await sleep(TICK_MS)) {
    const due = Math.min(connections, Math.ceil(((performance.now() - started) / (seconds * 1_000)) * connections))
    for (; count < due; count++) {
      const [kind, act] = kinds[count % kinds.length]!
      opened[kind] = (opened[kind] ?? 0) + 1
      held.push(attack(port, `127.0.1.${1 + (count % ADDRESSES)}`, act))
    }
  }
  return opened
}

async function sendAll({ port, requests, seconds, keys }: Orders): Promise<Record<string, number>> {
  const document = (await (await fetch(`http://127.0.0.1:${port}/openapi.json`)).json()) as Document
  const random = seeded(1)
  const statuses: Record<string, number> = {}
  const started = performance.now()
  let sent = 0
  const fuzzer = async (own: number) => {
    while (sent < requests) {
      const due = ((performance.now() - started) / (seconds * 1_000)) * requests
      if (sent > due) await sleep(TICK_MS)
      sent++
      const request = fuzzedRequest(random, document, keys)
      const bytes = random.below(2) === 0 ? request : mutated(random, request)
      const status = await sendRaw(port, `127.0.2.${1 + own}`, bytes)
      statuses[status ?? 'closed'] = (statuses[status ?? 'closed'] ?? 0) + 1
    }
  }
  await Promise.all(Array.from({ length: FUZZERS }, (_, own) => fuzzer(own)))
  return statuses
}
