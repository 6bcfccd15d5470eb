import { patched } from '@temporalio/workflow'
import { STOP_STARTING_AFTER_MS } from '../src/webhooks/rounds/round-rules.ts'
import { checkInSequence } from './check-in-sequence.ts'
import { checkParts, instantOf } from './check-parts.ts'
import { added, type CheckReport } from './check-report.ts'

/**
 * One check, every five minutes. Deliveries that are due start at once; collecting runs beside them. What collecting
 * finds gets its first attempt in this same check. Nothing is started 200 seconds after the check began.
 */
export async function check(): Promise<CheckReport> {
  if (!patched('deliver-beside-collecting')) return checkInSequence()
  const startedAt = Date.now()
  const stopAt = instantOf(startedAt + STOP_STARTING_AFTER_MS)
  const parts = checkParts()

  // Beside everything else: a mail server that is slow holds up no delivery.
  const notifying = patched('notify-operators') ? parts.notify() : undefined
  const mailing = patched('send-kept-mails') ? parts.sendKeptMails() : undefined
  const collecting = parts.collect()
  const known = await parts.fanOut()
  const delivering = deliverKnown()
  const collected = await collecting
  // Beside the deliveries: what was just published is in the log within this check.
  const logging = patched('write-log') ? parts.writeLog() : undefined
  const found = await parts.fanOut()
  const { repaired, delivered } = await delivering

  const late = found && found.deliveries > 0 ? await parts.deliver(stopAt) : undefined
  if (patched('mail-pauses')) await parts.mailPauses()
  await notifying
  await mailing
  await logging
  await parts.record(Date.now() - startedAt)
  return {
    collected,
    fannedOut: added(known, found),
    repaired,
    delivered: added(delivered, late),
    problems: parts.problems,
  }

  /** The round on the five-minute grid. It also takes what the sources have brought while it runs. */
  async function deliverKnown() {
    const repaired = await parts.repair()
    return { repaired, delivered: await parts.deliver(stopAt) }
  }
}
