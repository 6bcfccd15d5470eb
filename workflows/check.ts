import { deprecatePatch, patched } from '@temporalio/workflow'
import { STOP_STARTING_AFTER_MS } from '../src/webhooks/rounds/round-rules.ts'
import { checkParts } from './check-parts.ts'
import { added, type CheckReport } from './check-report.ts'
import { matchBesideRounds } from './match-beside-rounds.ts'

/**
 * One check, every five minutes. Deliveries that are due start at once; collecting runs beside them. What collecting
 * finds gets its first attempt in this same check. Nothing is started 200 seconds after the check began.
 *
 * Workers of 1.0.0 ask for the four patches: while they may take over a check of ours, or we one of theirs, they stay.
 */
export async function check(): Promise<CheckReport> {
  deprecatePatch('deliver-beside-collecting')
  const oneOutbox = patched('mail')
  const startedAt = Date.now()
  const stopAt = startedAt + STOP_STARTING_AFTER_MS
  const parts = checkParts()
  const matching = matchBesideRounds(parts, stopAt)

  // Beside everything else: a mail server that is slow holds up no delivery.
  deprecatePatch('notify-operators')
  const notifying = parts.notify()
  deprecatePatch('send-kept-mails')
  const mailing = oneOutbox ? undefined : parts.sendKeptMails()
  const collecting = parts.collect()
  await matching.start()
  const delivering = deliverKnown()
  const collected = await collecting
  // Beside the deliveries: what was just published is in the log within this check.
  const logging = patched('write-log') ? parts.writeLog() : undefined
  const found = await matching.start()
  const watching = patched('watch-mails') ? parts.watchMails(oneOutbox) : undefined
  const { repaired, delivered } = await delivering

  const late = found && (found.deliveries > 0 || found.left) ? await matching.deliver() : undefined
  deprecatePatch('mail-pauses')
  if (!oneOutbox) await parts.mailPauses()
  await notifying
  await mailing
  await watching
  if (oneOutbox) await parts.sendMails()
  await logging
  const fannedOut = await matching.total()
  const sent = added(delivered, late)
  await parts.record(Date.now() - startedAt, sent)
  return {
    collected,
    fannedOut,
    repaired,
    delivered: sent,
    problems: parts.problems,
  }

  /** The round on the five-minute grid. It also takes what the sources have brought while it runs. */
  async function deliverKnown() {
    const repaired = await parts.repair()
    return { repaired, delivered: await matching.deliver() }
  }
}
