import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { ApiProcess } from './api-process.ts'
import type { Orders, Result } from './attackers.ts'
import { readUntil } from './readers.ts'

const RELEASE_WITHIN_MS = 30_000
/** Kept connections of normal clients and of the database pool come and go by themselves. */
const SPARE_DESCRIPTORS = 20

export type Plan = Omit<Orders, 'port' | 'keys'> & { idleSeconds: number }
export type Keys = { normal: string[]; hostile: string[] }

/** A first attack, so small, shows the server everything once: memory is compared from then on. */
const WARM_UP_SHARE = 0.1

/** Reads as normal clients do, first alone, then beside the attack, and watches the server meanwhile. */
export async function measure(api: ApiProcess, keys: Keys, plan: Plan) {
  const started = { memory: await api.memory() }
  await warmUp(api, keys, plan)
  await readUntil(api.url, keys.normal, sleep(plan.idleSeconds * 500))
  const before = { memory: await api.memory(), descriptors: await api.descriptors() }
  const processor = [await api.processor()]
  const idle = await readUntil(api.url, keys.normal, sleep(plan.idleSeconds * 1_000))
  processor.push(await api.processor())

  const { attackers, attack } = await startAttack({ ...plan, port: api.port, keys: keys.hostile })
  const peak = { memory: 0, descriptors: 0 }
  const watching = watch(api, peak, attack)
  const attacked = await readUntil(api.url, keys.normal, attack)
  const result = await attack
  processor.push(await api.processor())
  await watching

  // The attackers still hold their ends of every connection.
  const ended = performance.now()
  while ((await api.descriptors()) > before.descriptors + SPARE_DESCRIPTORS) {
    if (performance.now() - ended > RELEASE_WITHIN_MS) break
    await sleep(100)
  }
  const releasedAfter = (performance.now() - ended) / 1_000
  const after = { memory: await api.memory(), descriptors: await api.descriptors() }
  const running = api.running()
  const stoppedAfter = await api.stop()
  attackers.disconnect()
  const [start = 0, quiet = 0, end = 0] = processor
  const processorSeconds = { idle: quiet - start, attacked: end - quiet }
  return {
    idle,
    attacked,
    processorSeconds,
    ...result,
    started,
    before,
    peak,
    after,
    releasedAfter,
    stoppedAfter,
    running,
  }
}

async function startAttack(orders: Orders) {
  const attackers = fork(fileURLToPath(new URL('attackers.ts', import.meta.url)), {
    execArgv: ['--import', 'tsx'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  await once(attackers, 'spawn')
  attackers.send(orders)
  return { attackers, attack: once(attackers, 'message').then(([result]) => result as Result) }
}

async function warmUp(api: ApiProcess, keys: Keys, plan: Plan): Promise<void> {
  const { attackers, attack } = await startAttack({
    port: api.port,
    keys: keys.hostile,
    seconds: plan.seconds * WARM_UP_SHARE,
    connections: plan.connections * WARM_UP_SHARE,
    requests: plan.requests * WARM_UP_SHARE,
  })
  await attack
  attackers.disconnect()
}

async function watch(api: ApiProcess, peak: { memory: number; descriptors: number }, over: Promise<unknown>) {
  let ended = false
  void over.finally(() => {
    ended = true
  })
  while (!ended) {
    peak.memory = Math.max(peak.memory, await api.memory())
    peak.descriptors = Math.max(peak.descriptors, await api.descriptors())
    await sleep(100)
  }
}
