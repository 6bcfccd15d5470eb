import { sleep } from '@temporalio/workflow'
import { type checkParts, instantOf, MATCH_BEFORE_ROUND_MS } from './check-parts.ts'
import { added, type CheckReport } from './check-report.ts'

/** While a great change is matched, a round that found nothing more to send is followed by another after this time. */
const NEXT_ROUND_AFTER_MS = 5_000
/** The last of its time a check sends. */
const STOPS_BEFORE_MS = 10_000

/**
 * Matching, and rounds beside it. A round waits for matching for two seconds; what takes longer (one change for 100,000
 * webhooks) is matched beside rounds, which take what it has brought. What is left when the check ends, the next one matches.
 */
export function matchBesideRounds(parts: Pick<ReturnType<typeof checkParts>, 'fanOut' | 'deliver'>, stopAt: number) {
  let total: CheckReport['fannedOut']
  /** What goes on beside, how much of it, and how much has ended. */
  const goingOn: Promise<void>[] = []
  let running = 0
  let ended = 0

  async function goOn() {
    running++
    const rest = await parts.fanOut(Math.max(0, stopAt - STOPS_BEFORE_MS - Date.now()))
    // After the wait: meanwhile another call may have added to it.
    total = added(total, counts(rest))
    running--
    ended++
  }

  return {
    /** What was matched in all, once it is over. */
    async total() {
      await Promise.all(goingOn)
      return total
    },
    /** Matches for two seconds, and then goes on beside what follows. Returns what it has done by then. */
    async start() {
      const first = await parts.fanOut(MATCH_BEFORE_ROUND_MS)
      total = added(total, counts(first))
      if (first?.left) goingOn.push(goOn())
      return first
    },
    /** Delivers until nothing is due and nothing is being matched, or the check's time is up. */
    async deliver() {
      let seen = ended
      let delivered = await parts.deliver(instantOf(stopAt))
      while ((running > 0 || ended > seen) && Date.now() < stopAt) {
        if (running > 0) await sleep(NEXT_ROUND_AFTER_MS)
        seen = ended
        delivered = added(delivered, await parts.deliver(instantOf(stopAt)))
      }
      return delivered
    },
  }
}

const counts = (report: CheckReport['fannedOut']) => report && { events: report.events, deliveries: report.deliveries }
