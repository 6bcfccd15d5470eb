import { setTimeout as sleep } from 'node:timers/promises'

/** Below the rate limits of one key: three of four reads are listings, one is a page of history. */
const EVERY_MS = 400
const PATHS = [
  '/v1/providers',
  '/v1/prices/history?asOf=2026-06-01T00:00:00Z&limit=200',
  '/v1/catalog?provider=acme',
  '/v1/comparison/aliases',
]

/** Reads like a normal client until `over`. Returns how long each answer took, and every answer that was not 200. */
export async function readUntil(url: string, keys: string[], over: Promise<unknown>) {
  const times: number[] = []
  const failures: string[] = []
  let ended = false
  void over.finally(() => {
    ended = true
  })
  const reader = async (key: string, own: number) => {
    await sleep((EVERY_MS / keys.length) * own)
    for (let n = own; !ended; n++) {
      const started = performance.now()
      try {
        const answer = await fetch(url + PATHS[n % PATHS.length], { headers: { authorization: `Bearer ${key}` } })
        await answer.arrayBuffer()
        if (answer.status !== 200) failures.push(String(answer.status))
      } catch (error) {
        failures.push(String((error as Error).cause ?? error))
      }
      times.push(performance.now() - started)
      await sleep(Math.max(0, EVERY_MS - (performance.now() - started)))
    }
  }
  await Promise.all(keys.map(reader))
  times.sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)]! * 10) / 10
  return { reads: times.length, p50: at(0.5), p99: at(0.99), failures }
}
