import { setTimeout as sleep } from 'node:timers/promises'

/** Below the rate limits of one key: three of four reads are listings, one is a page of history. */
const EVERY_MS = 400
const PATHS = [
  '/v1/providers',
  '/v1/prices/history?asOf=2026-06-01T00:00:00Z&limit=200',
  '/v1/catalog?provider=acme',
  '/v1/comparison/aliases',
]

/** One read of a normal client. `at` is when it began, in milliseconds of the wall clock. */
export type ReadResult<Usage = unknown> = {
  path: string
  at: number
  ms: number
  failure?: string
  watched?: Usage
}

type Reading<Usage> = {
  url: string
  keys: string[]
  until: Promise<unknown>
  /** Called when a read begins; what it returns is called when the read ends, and gives what was seen meanwhile. */
  watch?: () => () => Usage
}

/** Reads like normal clients until then, each at its own moments. */
export async function readUntil<Usage>({ url, keys, until, watch }: Reading<Usage>): Promise<ReadResult<Usage>[]> {
  const reads: ReadResult<Usage>[] = []
  let ended = false
  void until.finally(() => {
    ended = true
  })
  const reader = async (key: string, own: number) => {
    await sleep((EVERY_MS / keys.length) * own)
    for (let n = own; !ended; n++) {
      const path = PATHS[n % PATHS.length]!
      const stopWatching = watch?.()
      const started = performance.now()
      const failure = await readOnce(url + path, key)
      const ms = performance.now() - started
      reads.push({ path, at: performance.timeOrigin + started, ms, failure, watched: stopWatching?.() })
      await sleep(Math.max(0, EVERY_MS - (performance.now() - started)))
    }
  }
  await Promise.all(keys.map(reader))
  return reads
}

/** Returns what was wrong with the answer; undefined for 200. */
async function readOnce(url: string, key: string): Promise<string | undefined> {
  try {
    const answer = await fetch(url, { headers: { authorization: `Bearer ${key}` } })
    await answer.arrayBuffer()
    return answer.status === 200 ? undefined : String(answer.status)
  } catch (error) {
    return String((error as Error).cause ?? error)
  }
}

export function summaryOf(reads: ReadResult[]) {
  const times = reads.map(({ ms }) => ms).sort((a, b) => a - b)
  const at = (share: number) => Math.round(times[Math.floor(times.length * share)]! * 10) / 10
  const failures = reads.flatMap(({ failure }) => failure ?? [])
  return { reads: times.length, p50: at(0.5), p90: at(0.9), p99: at(0.99), failures }
}
