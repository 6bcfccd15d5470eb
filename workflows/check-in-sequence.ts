import { STOP_STARTING_AFTER_MS } from '../src/webhooks/rounds/round-rules.ts'
import { checkParts, instantOf } from './check-parts.ts'
import type { CheckReport } from './check-report.ts'

/** A check as it ran before deliveries stopped waiting for collecting: kept for the histories of that time. */
export async function checkInSequence(): Promise<CheckReport> {
  const stopAt = instantOf(Date.now() + STOP_STARTING_AFTER_MS)
  const parts = checkParts()
  const collected = await parts.collect()
  const fannedOut = await parts.fanOut()
  const repaired = await parts.repair()
  const delivered = await parts.deliver(stopAt)
  return { collected, fannedOut, repaired, delivered, problems: parts.problems }
}
