import { setTimeout as sleep } from 'node:timers/promises'

export type ReadResult = { at: number; ms: number; status: number }

const AS_OF = '2026-10-01T00:00:00.000Z'
/** What readers want, in turn: mostly one provider's prices, as a price page shows them. */
const PATHS = [
  `/v1/prices/history?providers=openai&limit=100&asOf=${AS_OF}`,
  `/v1/prices/history?providers=anthropic&limit=100&current=true`,
  `/v1/providers`,
  `/v1/prices/history?providers=google,openai&limit=1000`,
  `/v1/catalog?provider=openai`,
  `/v1/prices/history?providers=openai&limit=100`,
  `/v1/comparison/aliases`,
]

/** Reads this many times a second, each time with another workspace's key, whether the answers come or not. */
export function keepReading(url: string, keys: string[], perSecond: number) {
  const reads: ReadResult[] = []
  const pending = new Set<Promise<void>>()
  let over = false
  async function read(n: number): Promise<void> {
    const [began, at] = [performance.now(), Date.now()]
    const headers = { authorization: `Bearer ${keys[n % keys.length]}` }
    const status = await fetch(`${url}${PATHS[n % PATHS.length]}`, { headers, signal: AbortSignal.timeout(30_000) })
      .then((answer) => answer.arrayBuffer().then(() => answer.status))
      .catch(() => 0)
    reads.push({ at, ms: performance.now() - began, status })
  }
  const done = (async () => {
    const began = performance.now()
    for (let n = 0; !over; n++) {
      const one = read(n).finally(() => pending.delete(one))
      pending.add(one)
      await sleep(Math.max(0, began + ((n + 1) * 1_000) / perSecond - performance.now()))
    }
    await Promise.all(pending)
  })()
  return {
    /** The reads since the last call. */
    take: () => reads.splice(0),
    async stop() {
      over = true
      await done
    },
  }
}
