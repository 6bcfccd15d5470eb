import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ApiProcess } from './api-process.ts'
import type { Orders, Result } from './attackers.ts'
import { type ReadResult, readUntil, summaryOf } from './readers.ts'

const RELEASE_WITHIN_MS = 30_000
/** Kept connections of normal clients and of the database pool come and go by themselves. */
const SPARE_DESCRIPTORS = 20
const WATCH_EVERY_MS = 500
/** A first attack, so small, shows the server everything once: memory is compared from then on. */
const WARM_UP_SHARE = 0.1

export type Plan = Omit<Orders, 'port' | 'keys'> & { idleSeconds: number }
export type Keys = { normal: string[]; hostile: string[] }
export type Options<Usage> = {
  /** Called once the server has been attacked a little: returns what watches a read (see `readUntil`). */
  watch?: () => Promise<() => () => Usage>
  /** Another server, and the keys its attackers use: it is attacked first, so that what a busy machine costs is known. */
  other?: { api: ApiProcess; keys: string[] }
}

/** Reads as normal clients do, first alone, then beside the attack, and watches the server meanwhile. */
export async function measure<Usage>(api: ApiProcess, keys: Keys, plan: Plan, options: Options<Usage> = {}) {
  const { other } = options
  const started = { memory: await api.memory() }
  const warmUp = part(plan, WARM_UP_SHARE)
  await attackAlone({ ...warmUp, port: api.port, keys: keys.hostile })
  if (other) await attackAlone({ ...warmUp, port: other.api.port, keys: other.keys })
  const watch = await options.watch?.()
  const read = (until: Promise<unknown>) => readUntil({ url: api.url, keys: keys.normal, until, watch })
  await read(sleep(plan.idleSeconds * 170))
  const before = { memory: await api.memory(), descriptors: await api.descriptors() }
  const processor = [await api.processor()]
  const idle = await read(sleep(plan.idleSeconds * 1_000))
  processor.push(await api.processor())
  const control = other && (await besideOther(other, plan, read))

  processor.push(await api.processor())
  const { attackers, attack } = await startAttack({ ...plan, port: api.port, keys: keys.hostile })
  const peak = { memory: 0, descriptors: 0 }
  const watching = watchServer(api, peak, attack)
  const attacked = await read(attack)
  const result = await attack
  processor.push(await api.processor())
  await watching

  // The attackers still hold their ends of every connection.
  const releasedAfter = await secondsUntilReleased(api, before.descriptors)
  const after = { memory: await api.memory(), descriptors: await api.descriptors() }
  const running = api.running()
  const stoppedAfter = await api.stop()
  attackers.disconnect()
  const [start = 0, quiet = 0, again = 0, end = 0] = processor
  return {
    idle: summaryOf(idle),
    control: control && summaryOf(control),
    attacked: summaryOf(attacked),
    processorSeconds: { idle: quiet - start, attacked: end - again },
    ...result,
    started,
    before,
    peak,
    after,
    releasedAfter,
    stoppedAfter,
    running,
    reads: { idle, control, attacked },
  }
}

const part = ({ connections, requests, seconds }: Plan, share: number) => ({
  connections: connections * share,
  requests: requests * share,
  seconds: seconds * share,
})

/** Reads from the first server while as strong an attack as its own goes to another one, for half as long. */
async function besideOther<R extends ReadResult[]>(
  { api, keys }: { api: ApiProcess; keys: string[] },
  plan: Plan,
  read: (until: Promise<unknown>) => Promise<R>,
): Promise<R> {
  const { attackers, attack } = await startAttack({ ...part(plan, 0.5), port: api.port, keys })
  const reads = await read(attack)
  attackers.disconnect()
  await api.stop()
  return reads
}

async function startAttack(orders: Orders) {
  const attackers = fork(fileURLToPath(new URL('attackers.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  // What starting a process costs is not part of an attack.
  await once(attackers, 'message')
  attackers.send(orders)
  return { attackers, attack: once(attackers, 'message').then(([result]) => result as Result) }
}

async function attackAlone(orders: Orders): Promise<void> {
  const { attackers, attack } = await startAttack(orders)
  await attack
  attackers.disconnect()
}

async function secondsUntilReleased(api: ApiProcess, descriptors: number): Promise<number> {
  const ended = performance.now()
  while ((await api.descriptors()) > descriptors + SPARE_DESCRIPTORS) {
    if (performance.now() - ended > RELEASE_WITHIN_MS) break
    await sleep(100)
  }
  return (performance.now() - ended) / 1_000
}

async function watchServer(api: ApiProcess, peak: { memory: number; descriptors: number }, over: Promise<unknown>) {
  let ended = false
  void over.finally(() => {
    ended = true
  })
  while (!ended) {
    peak.memory = Math.max(peak.memory, await api.memory())
    peak.descriptors = Math.max(peak.descriptors, await api.descriptors())
    await sleep(WATCH_EVERY_MS)
  }
}
