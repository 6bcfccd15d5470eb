/**
 * The hostile side, as a process of its own: opens connections and sends fuzzed requests at random moments, reports the
 * statuses that came back, and holds its ends of all connections open until it receives the command to end.
 */
import type { Socket } from 'node:net'
import { getPriority, setPriority } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { ATTACKS, attack } from './connections.ts'
import { type Document, fuzzedRequest, mutated, sendRaw } from './fuzz.ts'
import { type Random, seeded } from './random.ts'

export type Orders = { port: number; connections: number; requests: number; seconds: number; keys: string[] }
export type Result = { opened: Record<string, number>; statuses: Record<string, number> }

/** This many addresses send fuzzed requests. */
const FUZZERS = 16
/** This many addresses take part: more than one, so that the limit per address is not what protects the others. */
const ADDRESSES = 40
/** They would run on other machines: here they leave the processor to the server and to normal clients. */
const LOW_PRIORITY = 15

setPriority(Math.min(getPriority() + LOW_PRIORITY, 19))
process.on('disconnect', () => process.exit())
process.send!('ready')
process.once('message', async (orders: Orders) => {
  const held: Socket[] = []
  const [opened, statuses] = await Promise.all([openAll(orders, held), sendAll(orders)])
  process.send!({ opened, statuses } satisfies Result)
})

/** Comes this many times in this many seconds, after random pauses: many clients that know nothing of each other. */
async function* arrivals(times: number, seconds: number, random: Random) {
  const meanMs = (seconds * 1_000) / times
  let due = performance.now()
  for (let n = 0; n < times; n++) {
    due -= Math.log(1 - random.next()) * meanMs
    const early = due - performance.now()
    if (early >= 1) await sleep(early)
    yield n
  }
}

async function openAll({ port, connections, seconds }: Orders, held: Socket[]): Promise<Record<string, number>> {
  const kinds = Object.entries(ATTACKS)
  const opened: Record<string, number> = {}
  for await (const n of arrivals(connections, seconds, seeded(2))) {
    const [kind, act] = kinds[n % kinds.length]!
    count(opened, kind)
    held.push(attack(port, `127.0.1.${1 + (n % ADDRESSES)}`, act))
  }
  return opened
}

async function sendAll({ port, requests, seconds, keys }: Orders): Promise<Record<string, number>> {
  const answer = await fetch(`http://127.0.0.1:${port}/openapi.json`)
  if (!answer.ok) throw new Error(`/openapi.json answered ${answer.status}: ${await answer.text()}`)
  const document = (await answer.json()) as Document
  const random = seeded(1)
  const statuses: Record<string, number> = {}
  const sent: Promise<void>[] = []
  for await (const n of arrivals(requests, seconds, seeded(3))) {
    const request = fuzzedRequest(random, document, keys)
    const bytes = random.below(2) === 0 ? request : mutated(random, request)
    const status = sendRaw(port, `127.0.2.${1 + (n % FUZZERS)}`, bytes)
    sent.push(status.then((code) => count(statuses, code ?? 'closed')))
  }
  await Promise.all(sent)
  return statuses
}

const count = (counts: Record<string, number>, name: string | number): void => {
  counts[name] = (counts[name] ?? 0) + 1
}
