import { SECOND } from '../../lib/instant.ts'
import { freePort, LOOPBACK } from '../../lib/ports.ts'

const ANSWER_WITHIN_MS = 2 * SECOND

/** Where Temporal's SDK answers scrapers, and how to read it: a library in native code, with a listener of its own. */
export type SdkMetrics = { bindAddress: string; read: () => Promise<string> }

/** Chooses a port of this machine alone for the metrics of Temporal's SDK; our own answer repeats them. */
export async function chooseSdkMetrics(): Promise<SdkMetrics> {
  const bindAddress = `${LOOPBACK}:${await freePort()}`
  return {
    bindAddress,
    read: async () => {
      const answer = await fetch(`http://${bindAddress}/metrics`, { signal: AbortSignal.timeout(ANSWER_WITHIN_MS) })
      return answer.ok ? answer.text() : ''
    },
  }
}
